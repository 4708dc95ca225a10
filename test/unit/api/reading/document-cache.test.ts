import { describe, expect, test } from 'vitest';

import { createDocumentCache } from '../../../../src/api/reading/document-cache.ts';
import type { ReadDocuments } from '../../../../src/stores/time-limit.ts';
import { fakeClock } from '../../../support/test-clock.ts';

/** A store in memory whose answers a test holds back and lets go; it stands in for a slow one. */
function heldStore() {
  const documents = new Map<string, { readonly version: string; readonly view: unknown }>();
  const calls: string[] = [];
  const held: (() => void)[] = [];
  let holds = false;
  /** Reads at once, and answers when it is let go. */
  const answer = async <T>(name: string, ids: readonly string[], read: () => T): Promise<T> => {
    calls.push(`${name} ${ids.join(',')}`);
    const value = read();
    if (holds) await new Promise<void>((resolve) => held.push(resolve));
    return value;
  };
  const among = <T>(ids: readonly string[], make: (id: string, version: string, view: unknown) => T) =>
    new Map(
      ids.flatMap((id) => {
        const found = documents.get(id);
        return found ? [[id, make(id, found.version, found.view)] as const] : [];
      }),
    );
  const store = {
    get: (_collection: string, ids: readonly string[]) =>
      answer('get', ids, () => among(ids, (id, version, view) => ({ id, version, body: { view } }))),
    versions: (_collection: string, ids: readonly string[]) =>
      answer('versions', ids, () => among(ids, (_id, version) => version)),
  };
  return {
    documents,
    calls,
    hold: () => {
      holds = true;
    },
    release: () => {
      holds = false;
      for (const resolve of held.splice(0)) resolve();
    },
    heldCount: () => held.length,
    // Only what the cache reads; the other methods are never called here.
    store: store as unknown as ReadDocuments,
  };
}

function setUp(confirmMs = 500) {
  const store = heldStore();
  const clock = fakeClock(1_000_000);
  const cache = createDocumentCache({ documents: store.store, clock, confirmMs, maxBytes: 1_000_000 });
  const views = async (...ids: string[]) =>
    Object.fromEntries([...(await cache.get('c', ids))].map(([id, { view }]) => [id, view]));
  return { ...store, clock, cache, views };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the document cache', () => {
  test('within the interval nothing is read, absence included; after it versions alone', async () => {
    const { documents, views, calls, clock } = setUp();
    documents.set('a', { version: '1', view: 'A' });
    await views('a', 'missing');
    clock.time += 499;
    await views('a', 'missing');
    expect(calls).toHaveLength(1);
    clock.time += 1;
    expect(await views('a', 'missing')).toEqual({ a: 'A' });
    expect(calls.slice(1)).toEqual(['versions a,missing']);
  });

  test('a changed version is read again, a gone one is absent, a new one is found', async () => {
    const { documents, views, calls, clock } = setUp();
    documents.set('changed', { version: '1', view: 'old' });
    documents.set('gone', { version: '1', view: 'here' });
    await views('changed', 'gone', 'new');
    documents.set('changed', { version: '2', view: 'other' });
    documents.delete('gone');
    documents.set('new', { version: '1', view: 'new' });
    clock.time += 500;
    expect(await views('changed', 'gone', 'new')).toEqual({ changed: 'other', new: 'new' });
    expect(calls.slice(1)).toEqual(['versions changed,gone,new', 'get changed,new']);
  });

  test('who waits for one id hears what others have learnt of the rest meanwhile', async () => {
    const { documents, clock, views, hold, release, heldCount } = setUp();
    documents.set('leaving', { version: '1', view: 'here' });
    documents.set('staying', { version: '1', view: 'here' });
    await views('staying');
    clock.time += 300;
    await views('leaving');
    clock.time += 300;
    hold();
    // `leaving` is still fresh; `staying` is read, and the store is slow.
    const list = views('leaving', 'staying');
    while (heldCount() < 1) await nextTurn();
    documents.delete('leaving');
    clock.time += 300;
    const alone = views('leaving');
    while (heldCount() < 2) await nextTurn();
    release();
    expect(await alone).toEqual({});
    expect(await list).toEqual({ staying: 'here' });
  });

  test('who asks soon after a read began shares it; who asks later waits for the next one', async () => {
    const { documents, views, clock, hold, release, heldCount } = setUp();
    documents.set('a', { version: '1', view: 'old' });
    hold();
    const early = views('a');
    await expect.poll(heldCount).toBe(1);
    clock.time += 100;
    const soon = views('a');
    documents.set('a', { version: '2', view: 'new' });
    clock.time += 400;
    const late = views('a');
    await nextTurn();
    release();
    expect(await early).toEqual({ a: 'old' });
    expect(await soon).toEqual({ a: 'old' });
    expect(await late).toEqual({ a: 'new' });
  });

  test('what was confirmed before the wall clock was put back is not fresh again when that time returns', async () => {
    const { documents, views, calls, clock } = setUp();
    documents.set('a', { version: '1', view: 'A' });
    await views('a');
    clock.jumpedMs = -3_600_000;
    clock.time += 3_600_000;
    await views('a');
    expect(calls).toEqual(['get a', 'versions a']);
  });
});
