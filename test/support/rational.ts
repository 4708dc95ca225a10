/**
 * Exact fractions, written to check projections/listings/decimal.ts and so sharing nothing with it: slow, and without
 * any thought of scales.
 */
export interface Rational {
  readonly n: bigint;
  /** Positive. */
  readonly d: bigint;
}

export function fraction(n: number | bigint, d: number | bigint = 1): Rational {
  return { n: BigInt(n), d: BigInt(d) };
}

/** The decimal number that the shortest text of a double shows. */
export function fromText(value: number): Rational {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(value.toString());
  if (!parts) throw new Error(`${value} is no finite number`);
  const [, sign, whole = '0', decimals = '', exponent = '0'] = parts;
  const magnitude = multiply(
    fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length)),
    Number(exponent) < 0 ? fraction(1n, 10n ** BigInt(-Number(exponent))) : fraction(10n ** BigInt(exponent)),
  );
  return sign === '-' ? { n: -magnitude.n, d: magnitude.d } : magnitude;
}

export function add(a: Rational, b: Rational): Rational {
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

export function multiply(a: Rational, b: Rational): Rational {
  return { n: a.n * b.n, d: a.d * b.d };
}

/** For a positive `b`. */
export function divide(a: Rational, b: Rational): Rational {
  return { n: a.n * b.d, d: a.d * b.n };
}

export function atLeast(a: Rational, b: Rational): boolean {
  return a.n * b.d >= b.n * a.d;
}

/** The nearest multiple of `1 / parts`; of two equally near ones the greater. Returns how many such parts it is. */
export function nearest(value: Rational, parts: number): bigint {
  const twice = multiply(value, fraction(2 * parts));
  // The nearest integer to x is the greatest k with 2k - 1 <= 2x.
  let k = (twice.n / twice.d + 1n) / 2n - 2n;
  while (atLeast(twice, fraction(2n * (k + 1n) - 1n))) k += 1n;
  return k;
}

/** The double nearest to `n` / 10 ^ `decimals`; the greatest one where none is near. */
export function asNumber(n: bigint, decimals: number): number {
  return Math.min(Number.MAX_VALUE, Number(`${n}e-${decimals}`));
}
