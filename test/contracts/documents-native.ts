import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import { type Documents, refusedIds, type Write } from '../../src/stores/documents/port.ts';
import { fill, writing, type Bench } from './documents-bench.ts';

/** Keys that indexes begin with are values of their own: what a store has no place for is refused, all else is read back. */

/** Values at the edges of what other formats than JSON tell apart. */
const VALUES: readonly (readonly [name: string, value: unknown])[] = [
  ['an empty object', {}],
  ['an empty list', []],
  ['empty ones inside', { object: {}, list: [], lists: [[], [{}]], text: '' }],
  ['lists of everything', { list: [1, 'a', null, true, [2, ['b']], { deep: [3.5, null] }] }],
  ['a list with holes', { list: Object.assign([], { length: 3, 1: 'middle' }) }],
  ['null', { n: null, list: [null] }],
  ['what is undefined', { gone: undefined, list: [undefined, 1], more: { gone: undefined } }],
  ['zeros', { zero: 0, minus: -0, list: [-0] }],
  ['numbers that JSON has not', { list: [Infinity, -Infinity, Number.NaN] }],
  ['32 bits', { list: [2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 32, 2 ** 32 - 1] }],
  ['53 bits', { list: [2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, -(2 ** 53) + 1, -(2 ** 53)] }],
  ['64 bits', { list: [2 ** 63, 2 ** 63 - 1024, -(2 ** 63), 2 ** 64, -(2 ** 64), 1e21] }],
  ['fractions', { list: [0.1, 1.5, -2.25, 1e-7, 1e308, -1e308, 5e-324, -5e-324, Number.MAX_VALUE] }],
  ['whole numbers written as fractions', JSON.parse('{"list": [1.0, 100.0, 1e3, -0.0]}')],
  ['characters', { list: ['a\0b', '\0', '\u2028', '\ufffe', '\ufeff', 'ё😀', 'e\u0301', ' ', '"\\'] }],
  ['surrogates alone', { list: ['\ud800', 'a\udfff', 'ok'], text: '\udc00', kept: 1 }],
  ['keys with dots', { 'a.b': 1, '.': 2, a: { 'c.': 3 }, kept: 1 }],
  ['keys with dollar signs', { $set: { a: 1 }, a: { $gt: '' }, list: [{ $date: 1 }], kept: 1 }],
  ['keys with NUL, without letters, of digits', { 'a\0b': 1, '': 2, ' ': 3, '10': 4, '9': 5, kept: 1 }],
  ['keys with surrogates', { '\ud800': 1, '😀': 2, ключ: 3, kept: 1 }],
  [
    'keys that drivers read',
    JSON.parse('{"_bsontype": "Long", "__proto__": {"a": 1}, "_id": 1, "$ref": "c"}'),
  ],
  ['a driver’s key deep inside', { list: [{ deep: { _bsontype: 'ObjectId', id: 'x' } }], kept: 1 }],
  ['names that objects have', { constructor: 1, toString: 'x', hasOwnProperty: null, length: 2, toBSON: 3 }],
  ['keys in their order', { b: 1, a: 2, c: { z: 1, y: 2 }, A: 3 }],
  ['nineteen levels', nested(19)],
  ['thirty levels', nested(30)],
  ['lists three hundred levels deep', JSON.parse(`${'['.repeat(300)}1${']'.repeat(300)}`)],
  ['a text', 'alone'],
  ['a number', 2 ** 53],
  ['a boolean', false],
  ['nothing', null],
  ['undefined alone', undefined],
];

/** The first ones have keys that are names, and well-formed text. */
const PLAIN = 15;

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { level: nested(levels - 1) };
}

export function describeNative({ client, collection, made }: Bench): void {
  describe('keys that indexes begin with', () => {
    test.for(VALUES)('%s: read back, by another client too, or refused by name', async ([, view]) => {
      const [one, other] = [await client(), await client()];
      const name = await collection(one, ['view.kept']);
      const body = { before: { 'a.b': 1 }, after: [view], view };
      const outcomes = [await written(one, name, 'a', body), await written(other, name, 'b', body)];
      expect(new Set(outcomes).size).toBe(1);
      const found = await other.get(name, ['a', 'b']);
      expect(found.size).toBe(outcomes[0] === 'done' ? 2 : 0);
      for (const { body: read } of found.values()) expect(textOf(read)).toBe(textOf(body));
    });

    test('a value whose keys are names for every store, with no list where an index leads, is never refused', async () => {
      const { documents, name } = await made(['view.kept']);
      const views = VALUES.slice(0, PLAIN).flatMap(([, view]) => (Array.isArray(view) ? [] : [view]));
      const outcomes = await Promise.all(
        views.map((view, at) => written(documents, name, `${at}`, { view })),
      );
      expect(new Set(outcomes)).toEqual(new Set(['done']));
    });

    test('a document is written over with another form of the same key', async () => {
      const { documents, name } = await made(['view.kept']);
      let read: string | null = null;
      for (const view of [{ kept: 1 }, { kept: 1, more: [2] }, null, 'text', undefined, { kept: 2 }]) {
        const write: Write<object> = writing('a', { other: 1, view }, read);
        expect(await documents.write(name, [write])).toEqual(['done']);
        read = write.version;
        const stored = (await documents.get(name, ['a'])).get('a');
        expect(JSON.stringify(stored?.body)).toBe(JSON.stringify({ other: 1, view }));
      }
    });

    test('text of any length and form is ordered by', async () => {
      const { documents, name } = await made(['view.text']);
      const texts = ['x'.repeat(3000), `${'x'.repeat(3000)}y`, 'a\0', '\ud800', '', 'я'.repeat(1000)];
      await fill(documents, name, Object.fromEntries(texts.map((text, at) => [`${at}`, { view: { text } }])));
      const page = await documents.find(name, { where: {}, order: ['view.text'], limit: 9 });
      const met = page.documents.map(({ id }) => id);
      expect(met.toSorted()).toEqual(['0', '1', '2', '3', '4', '5']);
      expect(met.slice(0, 4)).toEqual(['4', '2', '0', '1']);
    });

    test('a path of an index is made of letters, digits and _, a letter first', async () => {
      const documents = await client();
      const name = `${await collection(documents)}.n`;
      const roots = ['', '_id', '1a', '$a', 'a b', '__proto__', 'version', 'body'];
      for (const path of [...roots, 'view._x', 'view.0', 'view.a.1'])
        await expect(documents.declare({ name, indexes: [[path]] })).rejects.toThrow(PermanentError);
      const alike = documents.declare({ name, indexes: [['view.a', 'View.b']] });
      await expect(alike).rejects.toThrow(PermanentError);
    });
  });
}

/** Half a surrogate pair may come back as U+FFFD. */
function textOf(body: unknown): string {
  return JSON.stringify(body).replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd');
}

/** What became of a write; `refused` where the error names it. */
async function written(documents: Documents, name: string, id: string, body: object): Promise<unknown> {
  return await documents.write(name, [writing(id, body)]).then(
    ([outcome]) => outcome,
    (thrown: unknown) => (refusedIds(thrown).includes(id) ? 'refused' : thrown),
  );
}
