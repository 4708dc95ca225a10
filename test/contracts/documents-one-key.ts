import { expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import { pagesOf } from '../../src/stores/documents/pages.ts';
import { newVersion, type Write } from '../../src/stores/documents/port.ts';
import { bodyOf, type Bench, walk, writing } from './documents-bench.ts';
import { storedIn } from '../support/documents.ts';

/** What is promised of a key that is written alone. */

interface Body {
  readonly text: string;
  readonly n: number;
  readonly mark?: unknown;
}

const BODY: Body = { text: 'long', n: 1 };

const INDEXES = [['n'], ['mark.kind']] as const;

/** A write of the mark alone, by somebody who knows nothing else of the document. */
function marking({ id, version }: Pick<Write<unknown>, 'id' | 'version'>, mark: unknown): Write<object> {
  return { id, read: version, version: newVersion(), body: mark === undefined ? {} : { mark }, only: 'mark' };
}

export function describeOneKey({ client, interrupted, made }: Bench): void {
  test('a key is written alone, changed and taken away, and the rest of the body stays', async () => {
    const { documents, name } = await made(...INDEXES);
    let last: Write<object> = writing('a', BODY);
    await documents.write(name, [last]);
    const plain = [{ kind: 'put' }, { kind: 'refused', why: 'éЖ"' }, null, 0, 'text', undefined];
    for (const mark of [...plain, ...plain]) {
      last = marking(last, mark);
      expect(await documents.write(name, [last])).toEqual(['done']);
      expect(await storedIn(documents, name)).toEqual([
        { id: 'a', version: last.version, body: mark === undefined ? BODY : { ...BODY, mark } },
      ]);
      expect(await documents.versions(name, ['a'])).toEqual(new Map([['a', last.version]]));
    }
  });

  test('a key that is written alone is guarded by the version of the document, and guards it', async () => {
    const [{ documents: one, name }, other] = [await made(...INDEXES), await client()];
    const first = writing('a', { ...BODY, mark: { kind: 'put' } });
    await one.write(name, [first]);
    const taken = marking(first, undefined);
    expect(await one.write(name, [taken])).toEqual(['done']);
    expect(await other.write(name, [marking(first, undefined)])).toEqual(['conflict']);
    expect(await other.write(name, [writing('a', { ...BODY, n: 2 }, first.version)])).toEqual(['conflict']);
    const second = writing('a', { ...BODY, n: 2, mark: { kind: 'put' } }, taken.version);
    expect(await other.write(name, [second])).toEqual(['done']);
    expect(await one.write(name, [marking(taken, undefined)])).toEqual(['conflict']);
    expect(await bodyOf(one, name, 'a')).toEqual(second.body);
  });

  test('a key that is said to be unchanged stays, is found by, and what else there is of the body is written', async () => {
    const { documents, name } = await made(...INDEXES);
    for (const mark of [undefined, { kind: 'put' }]) {
      const first = writing('a', { ...BODY, ...(mark && { mark }) });
      const second = writing('a', { ...first.body, text: 'longer', n: 2 }, first.version);
      await documents.write(name, [first]);
      expect(await documents.write(name, [{ ...second, unchanged: ['mark'] }])).toEqual(['done']);
      expect(await bodyOf(documents, name, 'a')).toEqual(second.body);
      const query = { where: { 'mark.kind': mark?.kind ?? null }, order: [], limit: 1 };
      expect((await documents.find(name, query)).documents).toHaveLength(1);
      await documents.remove(name, [{ id: 'a', read: second.version }]);
    }
  });

  test('a key that is written alone to a document that is gone is a conflict, and makes none', async () => {
    const { documents, name } = await made(...INDEXES);
    const first = writing('a', BODY);
    await documents.write(name, [first]);
    await documents.remove(name, [{ id: 'a', read: first.version }]);
    expect(await documents.write(name, [marking(first, { kind: 'put' })])).toEqual(['conflict']);
    expect(await storedIn(documents, name)).toEqual([]);
  });

  test('a key that is said to be written alone with a new document comes with the whole of it', async () => {
    const { documents, name } = await made(...INDEXES);
    const first = { ...writing('a', { ...BODY, mark: { kind: 'put' } }), only: 'mark' };
    expect(await documents.write(name, [first])).toEqual(['done']);
    expect(await bodyOf(documents, name, 'a')).toEqual(first.body);
  });

  test('a key that no index begins with cannot be written alone', async () => {
    const { documents, name } = await made(...INDEXES);
    const first = writing('a', BODY);
    await documents.write(name, [first]);
    const other = { ...writing('a', { text: 'new' }, first.version), only: 'text' };
    await expect(documents.write(name, [other])).rejects.toThrow(PermanentError);
    expect(await bodyOf(documents, name, 'a')).toEqual(BODY);
  });

  test('keys that are written alone, some beside whole documents, are told apart in one call', async () => {
    const { documents, name } = await made(...INDEXES);
    const firsts = Array.from({ length: 12 }, (_, n) => writing(`id-${n}`, { ...BODY, n }));
    await documents.write(name, firsts);
    const marks = [undefined, { kind: 'put' }, { kind: 'put', more: 1 }];
    const writes = firsts.map((first, n) => {
      const read = n < 9 ? first.version : newVersion();
      if (n % 4 === 3) return writing(first.id, { ...BODY, n: -n }, read);
      return marking({ ...first, version: read }, marks[n % 3]);
    });
    const outcomes = writes.map((_, n) => (n < 9 ? 'done' : 'conflict'));
    expect(await documents.write(name, writes)).toEqual(outcomes);
    const wanted = firsts.map(({ id, version }, n) => {
      const mark = marks[n % 3];
      if (n >= 9) return { id, version, body: { ...BODY, n } };
      if (n % 4 === 3) return { id, version: writes[n]?.version, body: { ...BODY, n: -n } };
      return { id, version: writes[n]?.version, body: { ...BODY, n, ...(mark && { mark }) } };
    });
    const found = await documents.get(
      name,
      firsts.map(({ id }) => id),
    );
    expect(wanted.map(({ id }) => found.get(id))).toEqual(wanted);
  });

  test('a key whose lost write is repeated is done', async () => {
    const [{ documents: steady, name }, documents] = [await made(...INDEXES), await interrupted()];
    const first = writing('a', { ...BODY, mark: { kind: 'put' } });
    await steady.write(name, [first]);
    const taken = marking(first, undefined);
    await documents.write(name, [taken]).catch(() => undefined);
    expect(await bodyOf(steady, name, 'a')).toEqual(BODY);
    expect(await documents.write(name, [taken])).toEqual(['done']);
  });

  test('documents are found and counted by a key that is written alone, and by the others', async () => {
    const { documents, name } = await made(...INDEXES);
    const kinds = ['put', 'remove', null, 'put', undefined];
    const writes = kinds.map((kind, n) =>
      writing(`id-${n}`, { ...BODY, n, ...(kind !== undefined && { mark: { kind } }) }),
    );
    await documents.write(name, writes);
    const [, second, , fourth] = writes as [Write<Body>, Write<Body>, Write<Body>, Write<Body>];
    await documents.write(name, [marking(fourth, undefined), marking(second, { kind: 'put' })]);
    const where = { 'mark.kind': 'put' };
    expect(await walk(documents, name, { where, order: [], limit: 1 })).toEqual(['id-0', 'id-1']);
    const unmarked = { where: { 'mark.kind': null }, order: [], limit: 10 };
    expect(await walk(documents, name, unmarked)).toEqual(['id-2', 'id-3', 'id-4']);
    const page = await documents.find(name, { where: {}, order: ['-n'], limit: 9 });
    expect(page.documents.map(({ id }) => id)).toEqual(['id-4', 'id-3', 'id-2', 'id-1', 'id-0']);
    expect(await documents.count(name, { where, by: ['mark.kind'] })).toEqual([
      { values: ['put'], count: 2 },
    ]);
  });

  test('pages are read of keys that indexes begin with alone', async () => {
    const { documents, name } = await made(['mark.kind'], ['view.n']);
    const mark = { kind: 'put' };
    const bodies = [0, 1, 2, 3, 4].map((n) => ({ text: 'long', view: { n }, mark }));
    await documents.write(
      name,
      bodies.map((body, n) => writing(`id-${n}`, body)),
    );
    const keys = ['view', 'mark'];
    const wanted = bodies.map(({ text: _text, ...body }) => body);
    const query = { where: { 'mark.kind': 'put' }, limit: 2, keys, durable: true };
    const pages = await Array.fromAsync(pagesOf(documents, name, query));
    expect(pages.flat().map(({ body }) => body)).toEqual(wanted);
    const ordered = await documents.find(name, { ...query, where: {}, order: ['-view.n'] });
    expect(ordered.documents.map(({ body }) => body)).toEqual(wanted.toReversed().slice(0, 2));
  });
}
