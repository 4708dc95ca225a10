import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { categories } from '../../../projections/categories/index.ts';
import { trees, type TreeNode } from '../../../src/api/reading/category-tree.ts';
import { KINDS, type Kind } from '../../../projections/listings/document.ts';
import { listings } from '../../../projections/listings/index.ts';
import { createCatalogReader, type CatalogReader } from '../../../src/api/reading/catalog-reader.ts';
import { readSearch, type SearchPage } from '../../../src/api/reading/read-search.ts';
import { readTop } from '../../../src/api/reading/read-top.ts';
import { CATEGORIES } from '../../../src/events/category-events.ts';
import { ENTRIES } from '../../../src/events/entry-events.ts';
import type { CloudEvent } from '../../../src/events/envelope.ts';
import { METRICS } from '../../../src/events/measurement-events.ts';
import type { JsonObject } from '../../../src/platform/json-value.ts';
import { collectionOf, collectionSpec, type Projection } from '../../../src/projecting/engine/projection.ts';
import type { Documents } from '../../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../../src/stores/documents/sqlite.ts';
import { NOTHING_BESIDE, type ReadAlias } from '../../../src/stores/aliases.ts';
import type { Search } from '../../../src/stores/search/port.ts';
import { arbitraryEvent } from '../../support/arbitrary-events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { feedIndex, foldEvents } from '../../support/read-models.ts';
import type { SearchEngine } from '../../support/search-engine.ts';
import { storedIn } from '../../support/documents.ts';
import { fakeClock } from '../../support/test-clock.ts';

/** Search, top and categories are three ways of looking at the same set, also while the index is behind. */

/** A word that every generated entry has: in its username. */
const SHARED = 'news';
const SUBJECTS = 9;
const LIMIT = 2;
const MINUTE_MS = 60_000;

/** A category that no event defines among those that some do. */
const SLUGS = [null, 'science', 'data-science', 'news', 'tostring', 'nowhere'];
const EVERY_FILTER = [null, ...KINDS].flatMap((kind) => SLUGS.map((category) => ({ kind, category })));
type Filter = (typeof EVERY_FILTER)[number];
/** Few, so that they are leafed through again and again while entries come and go. */
const LEAFED: readonly Filter[] = [
  { kind: 'channel', category: null },
  { kind: null, category: 'science' },
  { kind: null, category: 'news' },
];

type Step =
  | { readonly tell: CloudEvent }
  | { readonly feed: true }
  /** The feed has been through, and confirmations are due: everybody should agree. */
  | { readonly quiet: true }
  /** Somebody leafs through a list at a moment of no importance. */
  | { readonly leaf: Filter };

/** The generated events, spread over more subjects. */
const tell = fc
  .tuple(arbitraryEvent([ENTRIES, ENTRIES, METRICS, CATEGORIES]), fc.nat({ max: SUBJECTS / 3 - 1 }))
  .map(([event, spread]): Step => ({
    tell: event.type.includes('entry') ? { ...event, subject: `${event.subject}-${spread}` } : event,
  }));
const step = fc.oneof(
  { weight: 10, arbitrary: tell },
  { weight: 6, arbitrary: fc.constantFrom(...LEAFED).map((filter): Step => ({ leaf: filter })) },
  { weight: 2, arbitrary: fc.constant<Step>({ feed: true }) },
  { weight: 1, arbitrary: fc.constant<Step>({ quiet: true }) },
);

/**
 * So many made-up histories, with searches at every moment of them. `longestMs` is for what hangs, where an engine needs
 * more than tests usually have.
 */
export function searchAgreement(
  engine: SearchEngine,
  { numRuns, longestMs }: { readonly numRuns: number; readonly longestMs?: number },
): void {
  describe.runIf(engine.isHere)(`search, top and categories on ${engine.name}`, () => {
    test(
      'what search lists is published and of the filter at every moment, and at every quiet one its totals are those of top and categories',
      async () => {
        const folder = temporaryFolder();
        await using documents = openSqliteDocuments(join(folder, 'documents.db'));
        await using search = engine.open(join(folder, 'search.db'));
        let runs = 0;
        const run = async (steps: readonly Step[]): Promise<void> => {
          await using world = await openWorld({ documents, search }, (runs += 1));
          for (const each of steps) {
            if ('tell' in each) await world.tell(each.tell);
            else if ('feed' in each) await world.feed();
            else if ('leaf' in each) await expectHonest(world, each.leaf);
            else await expectAgreement(world);
          }
        };
        const steps = fc.array(step, { minLength: 30, maxLength: 80 });
        await fc.assert(
          fc.asyncProperty(steps, (some) => run([...some, { quiet: true }])),
          { numRuns },
        );
      },
      longestMs,
    );
  });
}

interface World extends AsyncDisposable {
  readonly reading: CatalogReader;
  tell(event: CloudEvent): Promise<void>;
  feed(): Promise<void>;
  /** What is published, by its document. */
  published(): Promise<ReadonlyMap<string, { readonly kind: Kind; readonly category: string | null }>>;
}

/** Collections and an index of its own for each run, in the same stores. */
async function openWorld(
  { documents, search }: { readonly documents: Documents; readonly search: Search },
  version: number,
): Promise<World> {
  const projections: readonly Projection[] = [
    { ...listings, version },
    { ...categories, version },
  ];
  const [entries = listings] = projections;
  for (const projection of projections) await documents.declare(collectionSpec(projection));
  const collection = collectionOf(entries);
  await search.declare(collection);
  await feedIndex(documents, search, entries);
  const live: ReadAlias = async (name) => {
    const index = name === 'listings' ? collection : null;
    return { ...NOTHING_BESIDE, version, collection: `${name}@${version}`, index, folds: {}, token: '' };
  };
  const clock = fakeClock(0);
  const options = { confirmMs: 1, storeLimitMs: 10_000, maxBytes: 1_000_000 };
  return {
    reading: createCatalogReader({ documents, search, live, clock, ...options }),
    tell: async (event) => {
      const told = later(event, Math.floor(clock.time / MINUTE_MS / 2));
      for (const projection of projections) await foldEvents(documents, projection, [told]);
      // Long enough for everything that was computed to be due again, whatever it cost on a busy machine.
      clock.time += MINUTE_MS;
    },
    feed: async () => {
      await feedIndex(documents, search, entries);
      clock.time += MINUTE_MS;
    },
    published: async () => {
      const all = await storedIn<{
        readonly view: { readonly published: boolean; readonly kind: Kind; readonly category: string | null };
      }>(documents, collection);
      return new Map(all.flatMap(({ id, body: { view } }) => (view.published ? [[id, view]] : [])));
    },
    [Symbol.asyncDispose]: async () => {
      await search.drop(collection);
      for (const projection of projections) await documents.drop(collectionOf(projection));
    },
  };
}

/** The event at a higher revision, so that most of what is told is news. */
function later(event: CloudEvent, by: number): CloudEvent {
  const { revision, ...data }: JsonObject = event.data;
  return typeof revision === 'number' ? { ...event, data: { ...data, revision: revision + by } } : event;
}

/** Every page of a list, one after the other. */
async function leaf(reading: CatalogReader, filter: Filter): Promise<readonly SearchPage[]> {
  const pages: SearchPage[] = [];
  for (let page = 1; ; page += 1) {
    const found = await readSearch(reading, { keyId: 'k_one', q: SHARED, ...filter, page, limit: LIMIT });
    pages.push(found);
    if (page * LIMIT >= found.total) return pages;
  }
}

async function expectHonest(world: World, filter: Filter): Promise<void> {
  const pages = await leaf(world.reading, filter);
  const there = await world.published();
  const slugs = pages.flatMap(({ entries }) => entries.map(({ id }) => id));
  for (const { entries, taxonomy } of pages) {
    for (const { id, view } of entries) {
      expect(there.get(id)).toMatchObject({ kind: view.kind, category: view.category });
      expect(filter.kind ?? view.kind).toBe(view.kind);
      expect(filter.category === null || isBelow(taxonomy, view.category, filter.category)).toBe(true);
    }
  }
  expect(slugs).toHaveLength(new Set(slugs).size);
  // The last page was read when all others had told what they knew.
  expect(slugs).toHaveLength(Number(pages.at(-1)?.total));
}

function isBelow({ nodes }: SearchPage['taxonomy'], slug: string | null, above: string): boolean {
  for (let each = slug; each !== null; each = nodes.get(each)?.parent ?? null) {
    if (each === above) return true;
  }
  return false;
}

async function expectAgreement(world: World): Promise<void> {
  await world.feed();
  const { reading } = world;
  const there = await world.published();
  const { collection } = await reading.live('listings');
  const taxonomy = await reading.taxonomy();
  const shown = trees(taxonomy, await reading.counts(collection).current(), 'en');
  expect(shown.total).toBe(there.size);
  for (const filter of EVERY_FILTER) {
    const pages = await leaf(reading, filter);
    const top = await readTop(reading, { ...filter, limit: 100 });
    const slugs = pages.flatMap(({ entries }) => entries.map(({ id }) => id));
    expect(slugs.toSorted(), JSON.stringify(filter)).toEqual(top.entries.map(({ id }) => id).toSorted());
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => top.total));
    const kinds = filter.kind === null ? KINDS : [filter.kind];
    const counted = kinds.map((kind) => {
      const { total, categories: roots } = shown.trees[kind];
      return filter.category === null ? total : totalIn(roots, filter.category);
    });
    expect(top.total).toBe(counted.reduce((sum, count) => sum + count, 0));
  }
}

function totalIn(nodes: readonly TreeNode[], slug: string): number {
  return nodes.reduce(
    (sum, node) => sum + (node.slug === slug ? node.total : totalIn(node.children, slug)),
    0,
  );
}
