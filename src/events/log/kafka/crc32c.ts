/**
 * CRC-32C (Castagnoli), with which Kafka signs its record batches; Node's `zlib.crc32` is another polynomial.
 * Source: RFC 3720, 12.1 and appendix B.4 (test vectors).
 */
export function crc32c(bytes: Buffer): number {
  let crc = -1;
  for (let at = 0; at < bytes.length; at += 1)
    crc = (TABLE[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}

/** The polynomial 0x1edc6f41, its bits in the order in which they come. */
const POLYNOMIAL = 0x82f63b78;

/** What each byte comes to. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});
