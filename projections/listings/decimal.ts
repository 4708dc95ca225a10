/**
 * Exact decimal arithmetic on scaled integers. A double is taken for the decimal number that its shortest text shows
 * (0.07 is seven hundredths), as a reader of the published JSON does, so that two implementations round alike.
 */
export interface Decimal {
  readonly units: bigint;
  /** The number is `units` / 10 ^ `scale`; an integer >= 0. */
  readonly scale: number;
}

/** The exact decimal number of a finite double. */
export function decimal(value: number): Decimal {
  if (Number.isSafeInteger(value)) return { units: BigInt(value), scale: 0 };
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const units = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** The number to so many decimals; see `quotient`. */
export function rounded(value: Decimal, decimals: number): number {
  return quotient(value, { units: 1n, scale: 0 }, decimals);
}

/**
 * `a` / `b`, for a positive `b`, to so many decimals. A half is rounded up, towards positive infinity: -0.125 becomes
 * -0.12. A result that no double can hold becomes the greatest double: it must still have a JSON form.
 */
export function quotient(a: Decimal, b: Decimal, decimals: number): number {
  const shift = decimals + b.scale - a.scale;
  const numerator = shift >= 0 ? a.units * 10n ** BigInt(shift) : a.units;
  const denominator = shift >= 0 ? b.units : b.units * 10n ** BigInt(-shift);
  const units = floorDivision(2n * numerator + denominator, 2n * denominator);
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(`${units}e-${decimals}`)));
}

function unitsAt(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

function floorDivision(numerator: bigint, denominator: bigint): bigint {
  // BigInt division cuts towards zero.
  const cut = numerator / denominator;
  return numerator < 0n && cut * denominator !== numerator ? cut - 1n : cut;
}
