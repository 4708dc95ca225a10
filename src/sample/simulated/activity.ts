import type { CloudEvent } from '../../events/envelope.ts';
import { DAY_MS, unixMs } from '../../platform/time/instant.ts';
import type { SampleCategory } from '../catalog.ts';
import { categoryDefined, entryMeasured, entryPublished, entryUnpublished, type Origin } from '../events.ts';
import { measureOf } from '../metrics.ts';
import { createRandom, createRandoms, oneOf, zipf } from '../random.ts';
import { createContents, type Part } from './content.ts';
import { createBrands, createIdentities } from './identity.ts';
import { createStates, createTaxonomy } from './entry-states.ts';

/**
 * What goes on in a simulated catalog. Kept for each entry: its revision, whether it is published, how often each part
 * of it was edited. Everything else follows from its number.
 *
 * unknown -> published                                publishNext
 * published -> unpublished -> published, and so on    change, which measures and edits what is published, too
 */
export interface Activity {
  /** The taxonomy when the history begins. */
  readonly categories: readonly SampleCategory[];
  /** The first publish of the next entry, which has been there for so long, in milliseconds. */
  publishNext(origin: Origin, ageMs: number): CloudEvent;
  /** What happens next to the entries that are known, or to the taxonomy. */
  change(origin: Origin): CloudEvent;
}

interface ActivityOptions {
  readonly entries: number;
  readonly seed: number;
  /** When the history ends, Unix milliseconds. */
  readonly endMs: number;
}

export function createActivity({ entries, seed, endMs }: ActivityOptions): Activity {
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
    categories: taxonomy.first,
    publishNext: (origin, ageMs) => {
      const entry = known;
      known += 1;
      state.begin(entry, unixMs(origin.time) - ageMs);
      return publish(entry, origin);
    },
    change: (origin) => {
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
