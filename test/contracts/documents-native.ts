import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import type { Scalar, Write } from '../../src/stores/documents/port.ts';
import { fill, writing, type Bench } from './documents-bench.ts';

/** Native keys promise that nobody notices them through the port: bodies are read back as they were written. */

/** Values at the edges of what other formats than JSON tell apart. */
const VALUES: readonly (readonly [name: string, value: unknown])[] = [
  ['an empty object', {}],
  ['an empty list', []],
  ['empty ones inside', { object: {}, list: [], lists: [[], [{}]], text: '' }],
  ['lists of everything', { list: [1, 'a', null, true, [2, ['b']], { deep: [3.5, null] }] }],
  ['a list with holes', { list: Object.assign([], { length: 3, 1: 'middle' }) }],
  ['null', { n: null, list: [null] }],
  ['what is undefined', { gone: undefined, list: [undefined, 1], kept: { gone: undefined } }],
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

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { level: nested(levels - 1) };
}

export function describeNative({ client, collection, made }: Bench): void {
  describe('native keys', () => {
    test.for(VALUES)('%s: the same JSON text is read back, by another client too', async ([, view]) => {
      const [one, other] = [await client(), await client()];
      const name = await collection(one, ['view.kept']);
      const body = { before: { 'a.b': 1 }, view, after: [view] };
      await one.write(name, [writing('a', body)]);
      await other.write(name, [writing('b', body)]);
      const found = await other.get(name, ['a', 'b']);
      for (const id of ['a', 'b']) {
        const read = found.get(id)?.body;
        expect(JSON.stringify(read)).toBe(JSON.stringify(body));
        // Of a text one cannot tell 0 and -0.
        expect(read).toStrictEqual(JSON.parse(JSON.stringify(body)));
      }
    });

    test('what a native key holds is found by its index, whatever else stands beside it', async () => {
      const { documents, name } = await made(['view.kept']);
      const views = VALUES.map(([, view]) => view).filter(
        (view) => Object(view) === view && !Array.isArray(view),
      );
      await documents.write(
        name,
        views.map((view, at) => writing(`${at}`, { view: { ...(view as object), kept: at } })),
      );
      for (const at of views.keys()) {
        const page = await documents.find(name, { where: { 'view.kept': at }, order: [], limit: 9 });
        expect(page.documents.map(({ id }) => id)).toEqual([`${at}`]);
      }
    });

    test('a document is written over with another form of the same key', async () => {
      const { documents, name } = await made(['view.kept']);
      let read: string | null = null;
      for (const view of [{ kept: 1 }, { kept: 1, 'a.b': 2 }, null, { kept: [1] }, undefined, { kept: 2 }]) {
        const write: Write<object> = writing('a', { view, other: 1 }, read);
        expect(await documents.write(name, [write])).toEqual(['done']);
        read = write.version;
        const stored = (await documents.get(name, ['a'])).get('a');
        expect(JSON.stringify(stored?.body)).toBe(JSON.stringify({ view, other: 1 }));
      }
    });

    test('an object or a list under an index counts as missing, and is read back', async () => {
      const { documents, name } = await made(['view.kind', 'view.n'], ['view.deep.n']);
      const bodies: Record<string, { view: unknown }> = {
        lists: { view: { kind: ['bot'], n: [1, 2], deep: [{ n: 1 }] } },
        objects: { view: { kind: { bot: 1 }, n: {}, deep: { n: { n: 1 } } } },
        plain: { view: { kind: 'bot', n: 1, deep: { n: 1 } } },
        list: { view: ['bot', { kind: 'bot', n: 1 }] },
      };
      await fill(documents, name, bodies);
      const ids = async (where: Record<string, Scalar>) =>
        (await documents.find(name, { where, order: [], limit: 9 })).documents.map(({ id }) => id);
      expect(await ids({ 'view.kind': 'bot' })).toEqual(['plain']);
      expect(await ids({ 'view.kind': null, 'view.n': null })).toEqual(['list', 'lists', 'objects']);
      expect(await ids({ 'view.deep.n': 1 })).toEqual(['plain']);
      expect(await documents.count(name, { where: {}, by: ['view.kind'] })).toHaveLength(2);
      const found = await documents.get(name, Object.keys(bodies));
      for (const [id, body] of Object.entries(bodies)) expect(found.get(id)?.body).toEqual(body);
    });

    test('pages go on behind text of any length and form', async () => {
      const { documents, name } = await made(['view.text']);
      const texts = ['x'.repeat(3000), `${'x'.repeat(3000)}y`, 'a\0', '\ud800', '', 'я'.repeat(1000)];
      await fill(documents, name, Object.fromEntries(texts.map((text, at) => [`${at}`, { view: { text } }])));
      const met: string[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const query = { where: {}, order: ['view.text'], limit: 1 };
        const page = await documents.find(name, after === undefined ? query : { ...query, after });
        met.push(...page.documents.map(({ id }) => id));
        after = page.next;
      }
      expect(met.toSorted()).toEqual(['0', '1', '2', '3', '4', '5']);
      expect(met.slice(0, 4)).toEqual(['4', '2', '0', '1']);
    });

    test('a native key, and an index under it, is made of letters, digits and _, a letter first', async () => {
      const documents = await client();
      const name = `${await collection(documents)}.n`;
      for (const key of [
        '',
        '_id',
        '1a',
        'a.b',
        '$a',
        'a b',
        '__proto__',
        'version',
        'body',
        'fields',
        'whole',
      ]) {
        await expect(documents.declare({ name, indexes: [], native: [key] })).rejects.toThrow(PermanentError);
      }
      for (const more of [{ native: ['view', 'View'] }, { native: ['view'], beside: ['VIEW'] }]) {
        await expect(documents.declare({ name, indexes: [], ...more })).rejects.toThrow(PermanentError);
      }
      for (const path of ['view._x', 'view.0', 'view.a.1']) {
        const declared = documents.declare({ name, indexes: [[path]], native: ['view'] });
        await expect(declared).rejects.toThrow(PermanentError);
      }
    });

    test('a table for people has columns of such names, each of them once', async () => {
      const documents = await client();
      const name = `${await collection(documents)}.t`;
      const spec = { name, indexes: [], native: ['view'] };
      for (const table of [
        { name: 'a"', id: 'id', columns: {} },
        { name: 'collections', id: 'id', columns: {} },
        { name: 'sqlite_a', id: 'id', columns: {} },
        { name: 't', id: 'i d', columns: {} },
        { name: 't', id: 'id', columns: { ID: 'a' } },
        { name: 't', id: 'id', columns: { view: 'a' } },
        { name: 't', id: 'id', columns: { a: "a'" } },
        { name: 't', id: 'id', columns: { a: ['a', '$b'] } },
      ]) {
        await expect(documents.declare({ ...spec, table })).rejects.toThrow(PermanentError);
      }
    });
  });
}
