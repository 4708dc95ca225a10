import type { CloudEvent } from '../../events/envelope.ts';
import { DAY_MS, instantAt, unixMs, type Instant } from '../../platform/time/instant.ts';
import { readCategories, type SampleCategory } from '../catalog.ts';
import {
  categoryDefined,
  entryMeasured,
  entryPublished,
  entryUnpublished,
  type Origin,
} from '../event-builders.ts';
import { measureOf } from '../measurements.ts';
import { createRandom, createRandoms, oneOf, zipf, type Random } from '../random.ts';
import type { HistoryOptions } from './history.ts';
import { createContents, PARTS, type Part } from './content.ts';
import { createBrands, createIdentities } from './identity.ts';

/**
 * What goes on in a simulated catalog. Kept for each entry: its revision, whether it is published, how often each part
 * of it was edited. Everything else follows from its number.
 *
 * unknown -> published                                publishNext
 * published -> unpublished -> published, and so on    change, which measures and edits what is published, too
 */
export function createActivity({ entries, seed, endMs }: Pick<HistoryOptions, 'entries' | 'seed' | 'endMs'>) {
  const random = createRandom(`${seed}/activity`);
  const traits = createRandoms(`${seed}/metrics`);
  const brandOf = createBrands(seed);
  const identityOf = createIdentities(createRandoms(`${seed}/identities`), brandOf);
  const contentOf = createContents(createRandoms(`${seed}/contents`), (other) =>
    brandOf(zipf(other, entries)),
  );
  const taxonomy = createTaxonomy();
  const state = createStates(entries);
  let known = 0;

  const publish = (entry: number, origin: Origin): CloudEvent => {
    const identity = identityOf(entry);
    const content = contentOf(identity, (part) => state.edits(entry, part), state.firstPublished(entry));
    return entryPublished(identity.slug, state.publish(entry), content, origin);
  };
  const edit = (entry: number, part: Part, origin: Origin): CloudEvent => {
    state.edit(entry, part);
    return publish(entry, origin);
  };
  const unpublish = (entry: number, origin: Origin): CloudEvent => {
    const { slug } = identityOf(entry);
    return entryUnpublished(slug, state.unpublish(entry), oneOf(random, REASONS), origin);
  };
  const measure = (entry: number, origin: Origin): CloudEvent => {
    const identity = identityOf(entry);
    const daysBefore = (endMs - unixMs(origin.time)) / DAY_MS;
    const measures = measureOf(identity, traits(entry), random)(daysBefore);
    return entryMeasured(identity.slug, identity.kind, measures, origin);
  };

  return {
    /** The taxonomy when the history begins. */
    categories: taxonomy.first,
    /** The first publish of the next entry, which has been there for so long, in milliseconds. */
    publishNext: (origin: Origin, ageMs: number): CloudEvent => {
      const entry = known;
      known += 1;
      state.begin(entry, unixMs(origin.time) - ageMs);
      return publish(entry, origin);
    },
    /** What happens next to the entries that are known, or to the taxonomy. */
    change: (origin: Origin): CloudEvent => {
      const what = changeAt(random.uniform());
      if (what === 'taxonomy') {
        const { category, revision } = taxonomy.change(random);
        return categoryDefined(category, revision, origin);
      }
      // The oldest entries are the busiest.
      const entry = zipf(random, known);
      if (!state.isPublished(entry)) return publish(entry, origin);
      switch (what) {
        case 'measured':
          return measure(entry, origin);
        case 'unpublished':
          return unpublish(entry, origin);
        default:
          return edit(entry, what, origin);
      }
    },
  };
}

type Change = 'measured' | 'unpublished' | 'taxonomy' | Part;

/** The shares of what happens; measurements are the rest. */
const SHARES: readonly (readonly [Change, number])[] = [
  ['description', 0.05],
  ['category', 0.03],
  ['tags', 0.03],
  ['title', 0.025],
  ['unpublished', 0.012],
  ['flags', 0.004],
  ['verified', 0.003],
  ['taxonomy', 0.0005],
];

function changeAt(place: number): Change {
  let upTo = 0;
  for (const [change, share] of SHARES) {
    upTo += share;
    if (place < upTo) return change;
  }
  return 'measured';
}

const REASONS = ['owner_request', 'policy', 'gone', 'duplicate', 'other'] as const;

/** What is kept of each simulated entry, by its number: some 40 bytes, for there may be a million of them. */
function createStates(entries: number) {
  const revisions = new Uint32Array(entries);
  const published = new Uint8Array(entries);
  const since = new Float64Array(entries);
  const edits = new Uint32Array(entries * PARTS.length);
  const place = (entry: number, part: Part): number => entry * PARTS.length + PARTS.indexOf(part);
  const revise = (entry: number, isPublished: 0 | 1): number => {
    const revision = (revisions[entry] ?? 0) + 1;
    revisions[entry] = revision;
    published[entry] = isPublished;
    return revision;
  };
  return {
    /** An entry is first published then (Unix milliseconds). */
    begin: (entry: number, ms: number): void => {
      since[entry] = ms;
    },
    firstPublished: (entry: number): Instant => instantAt(since[entry] ?? 0),
    isPublished: (entry: number): boolean => published[entry] === 1,
    /** How often a part was edited. */
    edits: (entry: number, part: Part): number => edits[place(entry, part)] ?? 0,
    edit: (entry: number, part: Part): void => {
      edits[place(entry, part)] = (edits[place(entry, part)] ?? 0) + 1;
    },
    /** The revision of this publish, one above the last. */
    publish: (entry: number): number => revise(entry, 1),
    /** The same of an unpublish. */
    unpublish: (entry: number): number => revise(entry, 0),
  };
}

/** The sample's taxonomy, whose definitions change now and then. */
function createTaxonomy() {
  const first = readCategories();
  const parents = new Set(first.map(({ parent }) => parent));
  const roots = first.filter(({ parent }) => parent === null).map(({ slug }) => slug);
  const current = new Map(first.map((category) => [category.slug, { category, revision: 1 }]));
  return {
    first,
    /** Renames a category, or moves one without children below another. No cycle can come of it. */
    change: (random: Random) => {
      const original = oneOf(random, first);
      const before = current.get(original.slug) ?? { category: original, revision: 1 };
      const isLeaf = original.parent !== null && !parents.has(original.slug);
      const category =
        isLeaf && random.uniform() < 0.4
          ? { ...before.category, parent: oneOf(random, [original.parent, ...roots]) }
          : { ...before.category, title: otherTitle(original, before.category) };
      const redefined = { category, revision: before.revision + 1 };
      current.set(original.slug, redefined);
      return redefined;
    },
  };
}

/** Its own title and a longer one take turns. */
function otherTitle({ title }: SampleCategory, now: SampleCategory): SampleCategory['title'] {
  if (now.title !== title) return title;
  return { ru: `${title.ru} и не только`, en: `${title.en} and more` };
}
