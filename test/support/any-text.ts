import * as fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any one character of Unicode. As the unit `binary` of fast-check, whose table of all of them takes a second and a half
 * to make in every process.
 */
const character = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map(
    (number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count),
    numberOf,
  );

/** Text of any characters at all, that of control among them; without lone surrogates. */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...(maxLength === undefined ? {} : { maxLength }) });
}

/** @throws {Error} where the text is anything but one character: that is how fast-check asks. */
function numberOf(text: unknown): number {
  const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (point === undefined || text !== String.fromCodePoint(point)) throw new Error('This is no character');
  const behind = point >= SURROGATES.first + SURROGATES.count;
  if (point >= SURROGATES.first && !behind) throw new Error('This is half a character');
  return behind ? point - SURROGATES.count : point;
}
