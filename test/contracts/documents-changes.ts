import { describe, expect, test } from 'vitest';

import { RetryableError } from '../../src/platform/errors.ts';
import {
  changeDocument,
  changeDocumentFor,
  ContentionError,
  removeDocument,
} from '../../src/stores/documents/change-document.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { bodyOf, writing, type Bench, type Counter } from './documents-bench.ts';
import { storedIn } from '../support/documents.ts';

/** What reading, changing and writing a document under its guard promises, over every adapter. */

export function describeChanges({ clients, collection, made }: Bench): void {
  describe('changing', () => {
    test('makes a document that is not there, changes one that is, and leaves one alone', async () => {
      const { documents, name } = await made();
      const add = (by: number | null) =>
        changeDocument<Counter>(documents, name, 'a', (stored) =>
          by === null ? null : { n: (stored?.body.n ?? 0) + by },
        );
      expect((await add(1))?.body).toEqual({ n: 1 });
      expect((await add(2))?.body).toEqual({ n: 3 });
      expect(await add(null)).toBeNull();
      expect(await bodyOf(documents, name, 'a')).toEqual({ n: 3 });
    });

    test('loses nothing of what others change at the same time', async () => {
      const some = await clients(4);
      const name = await collection(some[0]);
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          changeDocumentFor<Counter, number>(some[index % 4] as Documents, name, 'a', (stored) => {
            const n = (stored?.body.n ?? 0) + 1;
            return { body: { n }, result: n };
          }),
        ),
      );
      expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      expect(await bodyOf(some[0], name, 'a')).toEqual({ n: 20 });
    });

    test('is asked again with what somebody else has written', async () => {
      const { documents, name } = await made();
      const seen: (number | null)[] = [];
      const written = await changeDocumentFor<Counter, string>(documents, name, 'a', async (stored) => {
        seen.push(stored?.body.n ?? null);
        if (seen.length === 1) await documents.write(name, [writing('a', { n: 7 })]);
        return { body: { n: (stored?.body.n ?? 0) + 1 }, result: `attempt ${seen.length}` };
      });
      expect({ seen, written }).toEqual({ seen: [null, 7], written: 'attempt 2' });
      expect(await bodyOf(documents, name, 'a')).toEqual({ n: 8 });
    });

    test('ends after a hundred attempts, with an error of its own that others may try again', async () => {
      const { documents, name } = await made();
      let asked = 0;
      const changing = changeDocument<Counter>(documents, name, 'a', async (stored) => {
        asked += 1;
        await documents.write(name, [writing('a', { n: asked }, stored?.version ?? null)]);
        return { n: 1000 };
      });
      const thrown: unknown = await changing.catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(ContentionError);
      expect(thrown).toBeInstanceOf(RetryableError);
      expect(asked).toBe(100);
      expect(await bodyOf(documents, name, 'a')).toEqual({ n: 100 });
    });

    test('removes what stands there, also where somebody changes it meanwhile, and does nothing where nothing does', async () => {
      const { documents, name } = await made();
      await documents.write(name, [writing('a', { n: 1 })]);
      let isChanged = false;
      const racing: Pick<Documents, 'get' | 'remove'> = {
        get: (collectionName, ids) => documents.get(collectionName, ids),
        remove: async (collectionName, removals) => {
          if (!isChanged) await changeDocument<Counter>(documents, name, 'a', () => ({ n: 2 }));
          isChanged = true;
          return await documents.remove(collectionName, removals);
        },
      };
      await removeDocument(racing, name, 'a');
      expect(await storedIn(documents, name)).toEqual([]);
      await removeDocument(documents, name, 'a');
    });
  });
}
