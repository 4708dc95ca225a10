import type { CloudEvent } from '../../events/envelope.ts';
import { DAY_MS, instantAt, unixMs } from '../../platform/time/instant.ts';
import { readCategories, type SampleCategory } from '../catalog.ts';
import { categoryDefined, entryMeasured, eventOf, type Origin } from '../event-builders.ts';
import { measureOf } from '../measurements.ts';
import { createRandom, createRandoms, oneOf, zipf, type Random } from '../random.ts';
import type { HistoryOptions } from './history.ts';
import activity from '../data/activity.json' with { type: 'json' };
import { createContents, type Part } from './content.ts';
import { createBrands } from './brand.ts';
import { createIdentities } from './identity.ts';

/** What is kept of an entry, for there may be a million of them. Everything else follows from its number. */
interface Entry {
  readonly number: number;
  /** When it was first published, Unix milliseconds. */
  readonly since: number;
  revision: number;
  isPublished: boolean;
  /** How often each part of it was edited. */
  readonly edits: Record<Part, number>;
}

/**
 * What goes on in a simulated catalog:
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
  const known: Entry[] = [];

  const publish = (entry: Entry, origin: Origin): CloudEvent => {
    const identity = identityOf(entry.number);
    entry.revision += 1;
    entry.isPublished = true;
    const content = contentOf(identity, entry.edits, instantAt(entry.since));
    return eventOf('catalog.entry.published.v1', identity.slug, origin, {
      revision: entry.revision,
      ...content,
    });
  };
  const unpublish = (entry: Entry, origin: Origin): CloudEvent => {
    entry.revision += 1;
    entry.isPublished = false;
    const data = { revision: entry.revision, reason: oneOf(random, activity.reasons) };
    return eventOf('catalog.entry.unpublished.v1', identityOf(entry.number).slug, origin, data);
  };
  const measure = ({ number }: Entry, origin: Origin): CloudEvent => {
    const identity = identityOf(number);
    const daysBefore = (endMs - unixMs(origin.time)) / DAY_MS;
    const measures = measureOf(identity, traits(number), random)(daysBefore);
    return entryMeasured(identity.slug, identity.kind, measures, origin);
  };

  return {
    /** The taxonomy when the history begins. */
    categories: taxonomy.first,
    /** The first publish of the next entry, which has been there for so long, in milliseconds. */
    publishNext: (origin: Origin, ageMs: number): CloudEvent => {
      const since = unixMs(origin.time) - ageMs;
      const edits = { title: 0, description: 0, tags: 0, flags: 0, verified: 0, category: 0 };
      const entry = { number: known.length, since, revision: 0, isPublished: false, edits };
      known.push(entry);
      return publish(entry, origin);
    },
    /** What happens next to the entries that are known, or to the taxonomy. */
    change: (origin: Origin): CloudEvent => {
      const what = changeAt(random.uniform());
      if (what === 'taxonomy') {
        const { category, revision } = taxonomy.change(random);
        return categoryDefined(category, revision, origin);
      }
      // The oldest entries are the busiest. A history begins with half of them.
      const entry = known[zipf(random, known.length)] as Entry;
      if (!entry.isPublished) return publish(entry, origin);
      if (what === 'measured') return measure(entry, origin);
      if (what === 'unpublished') return unpublish(entry, origin);
      entry.edits[what] += 1;
      return publish(entry, origin);
    },
  };
}

type Change = 'measured' | keyof typeof activity.shares;

/** By the shares of what happens; measurements are the rest. */
function changeAt(place: number): Change {
  let upTo = 0;
  for (const [change, share] of Object.entries(activity.shares)) {
    upTo += share;
    if (place < upTo) return change as Change;
  }
  return 'measured';
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
