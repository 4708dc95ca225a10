/** Sets of entries, a bit for each by its number: those of one index are equally long. Pure. */
export type Bits = Uint32Array;

/** A set for numbers up to `most`. */
export function bitsOf(numbers: readonly number[], most: number): Bits {
  const bits = new Uint32Array((most >>> 5) + 1);
  for (const n of numbers) bits[n >>> 5] = (bits[n >>> 5] ?? 0) | (1 << (n & 31));
  return bits;
}

export function has(bits: Bits, n: number): boolean {
  return (((bits[n >>> 5] ?? 0) >>> (n & 31)) & 1) === 1;
}

export function union(one: Bits, other: Bits): Bits {
  return one.map((word, at) => word | (other[at] ?? 0));
}

export function intersection(one: Bits, other: Bits): Bits {
  return one.map((word, at) => word & (other[at] ?? 0));
}

export function without(one: Bits, other: Bits): Bits {
  return one.map((word, at) => word & ~(other[at] ?? 0));
}

/** Ascending. */
export function numbersIn(bits: Bits): readonly number[] {
  const numbers: number[] = [];
  for (const [at, word] of bits.entries()) {
    for (let left = word; left !== 0; left &= left - 1) numbers.push(at * 32 + 31 - Math.clz32(left & -left));
  }
  return numbers;
}
