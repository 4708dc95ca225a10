import { describe, expect, test } from 'vitest';

import { visible, visibleLines } from '../../../../src/platform/text/sanitize.ts';
import { DECEIVES, HOSTILE } from '../../../support/hostile-text.ts';

describe('text from outside', () => {
  test.each(Object.entries(HOSTILE))('%s: becomes visible', (_class, text) => {
    expect(visible(text)).not.toMatch(DECEIVES);
    expect(JSON.parse(`"${visible(text)}"`)).toBe(text);
  });

  test('every code point that Unicode calls a control, a format or ignorable becomes visible', () => {
    const codes = Array.from({ length: 0x11_0000 }, (_, code) => code);
    const passing = codes.filter((code) => DECEIVES.test(visible(String.fromCodePoint(code))));
    expect(passing).toEqual([]);
  });

  test.each(['plain', 'Чат: «Питон»', '日本語', 'naïve café', 'C:\\u0041', '👍🏽', 'עברית'])(
    '%s is left as it is',
    (text) => {
      expect(visible(text)).toBe(text);
    },
  );

  test.each(Object.entries(HOSTILE))('%s: a JSON text stays one, with the same value', (_class, text) => {
    const value = { [text]: [text, `\\${text}`, `"${text}`] };
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const shown = visibleLines(json);
      expect(JSON.parse(shown)).toEqual(value);
      expect(shown.replaceAll('\n', '')).not.toMatch(DECEIVES);
    }
  });
});
