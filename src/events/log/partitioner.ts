/**
 * The partition of a key: Kafka's own rule for keyed records, so that a key stands under the same partition number in
 * every log, whichever client appended it. `toPositive(murmur2(UTF-8 bytes)) % count`, as in
 * org.apache.kafka.clients.producer.internals.BuiltInPartitioner.partitionForKey.
 *
 * A record without a key goes to partition 0: nothing of ours is published without one, and a fixed place is easier
 * to find than a random one.
 * @param count how many partitions the topic has, at least 1.
 */
export function partitionOf(key: string | null, count: number): number {
  return key === null ? 0 : (murmur2(encoder.encode(key)) & 0x7fffffff) % count;
}

const encoder = new TextEncoder();

/**
 * MurmurHash2, 32 bits, with Kafka's seed, as a signed integer.
 * Source: org.apache.kafka.common.utils.Utils.murmur2, after Austin Appleby's MurmurHash2 (public domain).
 */
export function murmur2(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tail = bytes.length & ~3;
  let hash = SEED ^ bytes.length;
  for (let index = 0; index < tail; index += 4) {
    let word = Math.imul(view.getInt32(index, true), MULTIPLIER);
    word ^= word >>> 24;
    hash = Math.imul(hash, MULTIPLIER) ^ Math.imul(word, MULTIPLIER);
  }
  if (tail < bytes.length) {
    for (let index = tail; index < bytes.length; index += 1)
      hash ^= view.getUint8(index) << ((index - tail) * 8);
    hash = Math.imul(hash, MULTIPLIER);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}

const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;
