import { describe, expect, test } from 'vitest';

import { createDecoder } from '../../../src/events/decode.ts';
import { EVENT_TYPES } from '../../../src/events/event-types.ts';
import type { Json } from '../../../src/platform/json-value.ts';
import { decoded, measured, published, recordOf } from '../../support/events.ts';
import { rejectionOf } from '../../support/records.ts';
import { words } from '../../support/words.ts';

/** What a field of a published entry comes out as. */
function kept(field: string, value: Json): unknown {
  return (decoded(published({ [field]: value })).data as Record<string, unknown>)[field];
}

function refusal(field: string, value: Json): string {
  const { code, reason } = rejectionOf(recordOf(published({ [field]: value })));
  expect(code).toBe('bad_data');
  return reason;
}

describe('texts', () => {
  test('are brought to NFC, and not trimmed', () => {
    expect(kept('title', { en: ' Cafe\u0301 ' })).toEqual({ ru: null, en: ' Caf\u00E9 ' });
  });

  test.each([
    ['title', 200],
    ['summary', 500],
    ['description', 5000],
  ])('a %s has at most %i code points after NFC', (field, maximum) => {
    for (const character of ['a', '😀', 'e\u0301']) {
      expect(kept(field, { en: character.repeat(maximum) })).toBeTruthy();
      expect(refusal(field, { en: character.repeat(maximum + 1) })).toMatch(
        new RegExp(`^data\\.${field}\\.en: expected text of 1 to ${maximum} characters`),
      );
    }
  });

  test('need one language at least', () => {
    expect(kept('title', { ru: 'а' })).toEqual({ ru: 'а', en: null });
    const told = (title: Json) => refusal('title', title).replace(/^data\.title: .+ got /, '');
    expect(refusal('title', {})).toBe(
      'data.title: expected text in ru, in en, or in both, got an object with nothing in it',
    );
    expect(told({ ru: null })).toBe('an object with nothing in it');
    expect(told({ de: 'x', fr: 'y', en: null })).toBe('an object with "de, fr"');
    expect(told({ ['x'.repeat(100)]: 'x' })).toBe(`an object with "${'x'.repeat(80)}"... (100 characters)`);
    expect(refusal('summary', { ru: null })).toMatch(/^data\.summary:/);
  });

  test.each(['', 'a\u0000b', 'a\tb', 'a\u007Fb', 'a\u0085b', 'a\nb', '\uD800', 'a\uDC00'])(
    'are refused: %j',
    (text) => {
      expect(refusal('title', { en: text })).toMatch(/^data\.title\.en: expected text/);
      expect(refusal('tags', [text])).toMatch(/^data\.tags\[0\]: expected text/);
    },
  );

  test('of a description may have line feeds, and no other control characters', () => {
    expect(kept('description', { en: 'a\nb' })).toEqual({ ru: null, en: 'a\nb' });
    expect(refusal('description', { en: 'a\rb' })).toMatch(/none of them a control character but line feeds/);
  });

  test('of a description may end lines as editors do: CRLF is a line feed, and the digest is of what came', () => {
    expect(kept('description', { en: 'a\r\nb\r\n' })).toEqual({ ru: null, en: 'a\nb\n' });
    expect(kept('description', { en: '\r\n'.repeat(5000) })).toEqual({ ru: null, en: '\n'.repeat(5000) });
    const [crlf, lf] = ['a\r\nb', 'a\nb'].map((en) => decoded(published({ description: { en } })).digest);
    expect(crlf).not.toBe(lf);
    expect(refusal('summary', { en: 'a\r\nb' })).toMatch(/^data\.summary\.en: expected text/);
  });

  test.each([' ', ...words('\u00A0\u3000 \u200B \u202E\uFEFF \u115F\u3164 \u2800 \uFE0F\u034F \u{E0041}')])(
    'of a title must show something: %j does not',
    (shownBy) => {
      expect(refusal('title', { en: shownBy, ru: 'А' })).toMatch(
        /^data\.title\.en: expected .*, some of them visible/,
      );
      expect(kept('title', { en: `${shownBy}.` })).toMatchObject({ en: `${shownBy}.` });
      expect(kept('summary', { en: shownBy })).toMatchObject({ en: shownBy });
    },
  );
});

describe('lists', () => {
  test.each([
    ['tags', 'ml'],
    ['flags', 'scam'],
    ['links', { rel: 'site', url: 'https://example.org' }],
  ])('%s have at most 20 items', (field, item) => {
    const items = (length: number) => Array.from({ length }, () => item);
    expect(kept(field, items(20))).toHaveLength(20);
    const reason = `data.${field}: expected at most 20 items, got a list of 21 items`;
    expect(refusal(field, items(21))).toBe(reason);
  });

  test('a tag, a flag and a platform have at most 50 characters', () => {
    expect(kept('tags', ['😀'.repeat(50)])).toHaveLength(1);
    expect(kept('flags', ['a'.repeat(50)])).toHaveLength(1);
    expect(refusal('tags', ['😀'.repeat(51)])).toMatch(/^data\.tags\[0\]: expected text of 1 to 50/);
    expect(refusal('flags', ['a'.repeat(51)])).toMatch(/^data\.flags\[0\]: expected 1 to 50/);
    const event = measured({ kind: 'miniapp', platforms: ['a'.repeat(51)] });
    expect(rejectionOf(recordOf(event)).reason).toMatch(/^data\.platforms\[0\]:/);
  });

  test.each(['Scam', '1a', '_a', 'a-b', ''])('a flag is refused: %j', (flag) => {
    expect(refusal('flags', ['scam', flag])).toMatch(/^data\.flags\[1\]:/);
  });
});

describe('URLs', () => {
  test.each(['https://t.me/ai_news', 'https://пример.рф/путь?a=b#c', `https://a.org/${'x'.repeat(2034)}`])(
    'are handed on as they came: %s',
    (url) => {
      for (const field of ['image_url', 'page_url', 'open_url']) expect(kept(field, url)).toBe(url);
    },
  );

  test.each([
    ...words('http://t.me HTTPS://t.me //t.me https:t.me https:// https:///'),
    'https://a b',
    ' https://t.me',
    ...words('https://t.me\n https://t.me/\u0000 https://t.me/\uD800 https://t.me/"><script>'),
    ...words('https:\\\\t.me javascript:alert(1) JaVaScRiPt://t.me/%0aalert(1) data:text/html,x tg'),
    '',
    `https://a.org/${'x'.repeat(2035)}`,
  ])('are refused: %j', (url) => {
    for (const field of ['image_url', 'page_url', 'open_url']) {
      expect(refusal(field, url)).toMatch(new RegExp(`^data\\.${field}: expected an absolute https://`));
    }
    expect(refusal('links', [{ rel: 'site', url }])).toMatch(/^data\.links\[0\]\.url:/);
  });

  test('tg: is for open_url alone', () => {
    expect(kept('open_url', 'tg://resolve?domain=ai_news')).toBe('tg://resolve?domain=ai_news');
    expect(refusal('page_url', 'tg://resolve?domain=ai_news')).toMatch(/^data\.page_url:/);
    expect(refusal('links', [{ rel: 'site', url: 'tg://resolve' }])).toMatch(/^data\.links\[0\]\.url:/);
  });
});

describe('codes', () => {
  test.each([
    ...words('en ru pt-BR zh-Hans-CN sr-Latn-RS es-419 zh-cmn-Hans sl-rozaj-biske-1994'),
    ...words('de-u-co-phonebk x-klingon EN'),
  ])('%s is a language tag', (tag) => expect(kept('language', tag)).toBe(tag));

  test.each([
    ...words('e english- en_US en--US en- -en de-u toolongword'),
    '',
    'en US',
    `en-x-${'a1-'.repeat(12)}a`,
  ])('%j is no language tag', (tag) =>
    expect(refusal('language', tag)).toMatch(/^data\.language: expected a BCP 47/),
  );

  test.each([
    ['country', 'two capital letters', 'RU', ['ru', 'RUS', 'R1', '']],
    [
      'username',
      '1 to 64 letters, digits and underscores',
      'A'.repeat(64),
      ['', 'a'.repeat(65), 'a-b', '@ai', 'имя', 'a\n'],
    ],
    [
      'category',
      'a canonical slug of at most 64 characters',
      'a'.repeat(64),
      ['a'.repeat(65), 'A', '-a', ''],
    ],
  ] as const)('a %s is %s', (field, _form, longest, refused) => {
    expect(kept(field, longest)).toBe(longest);
    for (const text of refused) expect(refusal(field, text)).toMatch(new RegExp(`^data\\.${field}:`));
  });
});

describe('numbers', () => {
  /** The event with a number written as upstream wrote it: what JSON.stringify would not write. */
  function rawly(field: 'revision' | 'subscribers' | 'er_pct', text: string) {
    const event = field === 'revision' ? published({ revision: 4711 }) : measured({ [field]: 4711 });
    return recordOf(event, { value: Buffer.from(JSON.stringify(event).replace('4711', text)) });
  }

  test.each([
    [
      'revision',
      words('0 -1 1.5 9007199254740992 9007199254740993 1e400 "7" true [7]'),
      'an integer from 1 to 9007199254740991, got',
    ],
    ['subscribers', words('-1 0.5 1e16 1e400'), 'an integer from 0'],
    ['er_pct', words('-0.1 1e400 "1"'), 'a finite number of at least 0'],
  ] as const)('%s is refused as %j', (field, refused, expected) => {
    for (const text of refused)
      expect(rejectionOf(rawly(field, text)).reason, text).toMatch(
        new RegExp(`^data\\.${field}: expected ${expected}`),
      );
  });

  test('a revision may be written with a fraction or an exponent if it is whole', () => {
    expect(decoded(published({ revision: 9_007_199_254_740_991 })).data).toMatchObject({
      revision: 2 ** 53 - 1,
    });
    expect(() => rejectionOf(rawly('revision', '7.0e0'))).toThrow('"outcome":"event"');
  });

  test('a rate may have a fraction', () => {
    expect(decoded(measured({ er_pct: 12.75, avg_views: 0.5 })).data).toMatchObject({
      er_pct: 12.75,
      avg_views: 0.5,
    });
  });

  test.each(['subscribers', 'er_pct'] as const)('-0 comes out as 0: %s', (field) => {
    const result = createDecoder(EVENT_TYPES)(rawly(field, '-0'));
    if (result.outcome !== 'event') throw new Error('expected an event');
    expect((result.event.data as Record<string, unknown>)[field]).toBe(0);
  });

  test('a rating is worth 0 to 5', () => {
    const rated = (value: number) => measured({ kind: 'bot', rating: { value, count: 3 } });
    expect(decoded(rated(4.5)).data).toMatchObject({ rating: { value: 4.5, count: 3 } });
    expect(rejectionOf(recordOf(rated(5.01))).reason).toMatch(
      /^data\.rating\.value: expected a number from 0 to 5/,
    );
    expect(rejectionOf(recordOf(rated(-0.01))).reason).toMatch(/^data\.rating\.value:/);
  });
});

describe('instants', () => {
  test('may carry any offset, and come out in UTC, to the millisecond', () => {
    expect(kept('published_at', '2026-11-20T00:30:00.1239+05:30')).toBe('2026-11-19T19:00:00.123Z');
  });

  test.each([
    ...words('2026-11-20 2026-11-20T10:00:00 2026-02-30T10:00:00Z 275761-01-01T00:00:00Z'),
    ...words('+275760-09-13T00:00:00Z yesterday'),
    '',
  ])('are refused: %j', (text) =>
    expect(refusal('published_at', text)).toMatch(/^data\.published_at: expected an RFC 3339 date-time/),
  );
});
