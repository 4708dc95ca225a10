/** The same keys on the other keyboard layout: `ghbdtn` is `привет`, `знерщт` is `python`. Pure. */

const ENGLISH = '`qwertyuiop[]asdfghjkl;\'zxcvbnm,./~QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>?@#$^&';
const RUSSIAN = 'ёйцукенгшщзхъфывапролджэячсмитьбю.ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,"№;:?';

const TO_RUSSIAN = keysOf(ENGLISH, RUSSIAN);
const TO_ENGLISH = keysOf(RUSSIAN, ENGLISH);

/** What the same keys would have written; null where what was typed is of both scripts, or of neither. */
export function onOtherLayout(q: string): string | null {
  const isRussian = /[а-яё]/i.test(q);
  const isLatin = /[a-z]/i.test(q);
  if (isRussian === isLatin) return null;
  const keys = isRussian ? TO_ENGLISH : TO_RUSSIAN;
  return Array.from(q.normalize('NFC'), (letter) => keys.get(letter) ?? letter).join('');
}

function keysOf(from: string, to: string): ReadonlyMap<string, string> {
  const others = Array.from(to);
  return new Map(Array.from(from, (letter, at) => [letter, others[at] ?? letter]));
}
