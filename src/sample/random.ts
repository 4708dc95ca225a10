import { createHash } from 'node:crypto';

/** Repeatable random numbers: the same seed gives the same numbers on every machine. */
export interface Random {
  /** Evenly from [0, 1). */
  uniform(): number;
  /** From the standard normal distribution. */
  normal(): number;
  /** From the log-normal distribution with this median; `sigma` is the deviation of its logarithm. */
  logNormal(median: number, sigma: number): number;
}

/** Not for secrets. */
export function createRandom(seed: string): Random {
  return randomFrom(sfc32(wordsOf(seed)));
}

/**
 * As many sequences as there are pairs of numbers, each repeatable on its own, for what must not depend on what was
 * generated before it. Made without hashing, so there may be one for every event.
 */
export type Randoms = (one: number, other?: number) => Random;

/** Only the lowest 32 bits of the two numbers count. Not for secrets. */
export function createRandoms(seed: string): Randoms {
  const [a, b, c] = wordsOf(seed);
  return (one, other = 0) => {
    const next = sfc32([a ^ one, b ^ other, c, 1]);
    // So many steps until every bit of the seed has reached every bit of the state.
    for (let step = 0; step < 15; step += 1) next();
    return randomFrom(next);
  };
}

function randomFrom(uniform: () => number): Random {
  // Box-Muller; 1 - u keeps the logarithm away from zero.
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal, logNormal: (median, sigma) => median * Math.exp(sigma * normal()) };
}

type State = readonly [number, number, number, number];

function wordsOf(seed: string): State {
  const digest = createHash('sha256').update(seed).digest();
  return [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), digest.readInt32LE(12)];
}

/** Small Fast Counter, 32 bits, by Chris Doty-Humphrey (PractRand): 128 bits of state, period at least 2^32. */
function sfc32([first, second, third, fourth]: State): () => number {
  let [a, b, c, counter] = [first, second, third, fourth];
  return () => {
    const output = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + output) | 0;
    return (output >>> 0) / 2 ** 32;
  };
}

/** An integer from `least` to `most`, both included. */
export function integer(random: Random, least: number, most: number): number {
  return least + Math.floor(random.uniform() * (most - least + 1));
}

/** One of the items, each as likely as the others; the first in the place of a null. There must be one. */
export function oneOf<T>(random: Random, items: readonly T[]): T {
  return (items[Math.floor(random.uniform() * items.length)] ?? items[0]) as T;
}

/** A place in a list of `count`: the first is twice as likely as the second, three times as the third (Zipf's law). */
export function zipf(random: Random, count: number): number {
  // The distribution function of the continuous counterpart, log(1 + x) / log(1 + count), turned round.
  return Math.min(count - 1, Math.floor(Math.exp(random.uniform() * Math.log(1 + count)) - 1));
}
