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
  const uniform = sfc32(createHash('sha256').update(seed).digest());

  function normal(): number {
    // Box-Muller; 1 - u keeps the logarithm away from zero.
    return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  }

  return { uniform, normal, logNormal: (median, sigma) => median * Math.exp(sigma * normal()) };
}

/** Small Fast Counter, 32 bits, by Chris Doty-Humphrey (PractRand): 128 bits of state, period at least 2^32. */
function sfc32(state: Buffer): () => number {
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => state.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const output = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + output) | 0;
    return (output >>> 0) / 2 ** 32;
  };
}
