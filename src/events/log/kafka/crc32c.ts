/**
 * CRC-32C (Castagnoli), with which Kafka signs its record batches; Node's `zlib.crc32` is another polynomial.
 * Source: RFC 3720, 12.1 and appendix B.4 (test vectors); eight bytes at a time after Kounavis and Berry, "A Systematic
 * Approach to Building High Performance, Software-based, CRC Generators" (2005).
 */
export function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    crc ^= bytes.readUInt32LE(at);
    const high = bytes.readUInt32LE(at + 4);
    crc =
      entry(7, crc) ^
      entry(6, crc >>> 8) ^
      entry(5, crc >>> 16) ^
      entry(4, crc >>> 24) ^
      entry(3, high) ^
      entry(2, high >>> 8) ^
      entry(1, high >>> 16) ^
      entry(0, high >>> 24);
  }
  for (; at < bytes.length; at += 1) crc = entry(0, crc ^ bytes.readUInt8(at)) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** The polynomial 0x1edc6f41, its bits in the order in which they come. */
const POLYNOMIAL = 0x82f63b78;

/** Eight tables in a row: what a byte comes to that has 0 to 7 zero bytes behind it. */
const TABLES = makeTables();

function entry(table: number, byte: number): number {
  return TABLES[table * 256 + (byte & 0xff)] as number;
}

function makeTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    tables[byte] = crc;
  }
  for (let at = 256; at < tables.length; at += 1) {
    const before = tables[at - 256] as number;
    tables[at] = (tables[before & 0xff] as number) ^ (before >>> 8);
  }
  return tables;
}
