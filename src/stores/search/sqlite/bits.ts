/** Sets of entries, a bit for each by its number: those of one index are equally long. Pure. */
export type Bits = Uint32Array;

/** A set for numbers up to `most`. */
export function bitsOf(numbers: readonly number[], most: number): Bits {
  const bits = new Uint32Array((most >>> 5) + 1);
  addNumbers(bits, numbers);
  return bits;
}

export function addNumbers(bits: Bits, numbers: readonly number[]): void {
  for (const n of numbers) bits[n >>> 5] = (bits[n >>> 5] ?? 0) | (1 << (n & 31));
}

export function addAll(bits: Bits, others: Bits): void {
  for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] ?? 0) | (others[at] ?? 0);
}

export function has(bits: Bits, n: number): boolean {
  return (((bits[n >>> 5] ?? 0) >>> (n & 31)) & 1) === 1;
}

export function union(one: Bits, other: Bits): Bits {
  const bits = new Uint32Array(one);
  addAll(bits, other);
  return bits;
}

export function intersection(one: Bits, other: Bits): Bits {
  const bits = new Uint32Array(one.length);
  for (let at = 0; at < bits.length; at += 1) bits[at] = (one[at] ?? 0) & (other[at] ?? 0);
  return bits;
}

export function without(one: Bits, other: Bits): Bits {
  const bits = new Uint32Array(one.length);
  for (let at = 0; at < bits.length; at += 1) bits[at] = (one[at] ?? 0) & ~(other[at] ?? 0);
  return bits;
}

/** Ascending. */
export function numbersIn(bits: Bits): readonly number[] {
  const numbers: number[] = [];
  for (let at = 0; at < bits.length; at += 1) {
    for (let left = bits[at] ?? 0; left !== 0; left &= left - 1) {
      numbers.push(at * 32 + 31 - Math.clz32(left & -left));
    }
  }
  return numbers;
}
