import type { CloudEvent } from '../events/envelope.ts';
import { instantAt, unixMs, type Instant } from '../platform/time/instant.ts';
import type { JsonObject } from '../platform/json-value.ts';
import {
  descriptionOf,
  FLAGS,
  pageOf,
  readCategories,
  readEntries,
  summaryOf,
  tagsOf,
  type SampleEntry,
  type Titles,
} from './catalog.ts';
import { categoryDefined, entryMeasured, eventOf, probeCompleted, targetDefined } from './event-builders.ts';
import { generateMeasurements } from './measurements.ts';
import { createProbes } from './probes.ts';
import { lastRoundBy, ROUNDS_A_DAY, TARGETS } from './targets.ts';
import { FEW_FAULTS } from './fault-schedule.ts';

/** Of the generated metrics and probes; ids bear it. */
const SEED = 1;

/** Real facts, generated metrics, generated probes: an event's source says which. */
const CATALOG_SOURCE = '/sample/catalog';
const METRICS_SOURCE = '/sample/generated-metrics';
const PROBES_SOURCE = '/sample/generated-probes';

/** Rounds of probes that the sample begins with: two hours. All else of its history comes after the first start. */
export const FIRST_ROUNDS = 120;

/**
 * The shipped catalog as events: categories, entries, 90 days of generated metrics and two hours of generated probes,
 * both of which end at `end`. The same end gives the same events, byte for byte. Lazy. An entry's measurements follow
 * each other, so that a projector folds them into its document at once; events of different entries need no order.
 *
 * When the facts were true first is not known, so `published_at` and `time` are the end of the history: when this
 * catalog was made.
 */
export function* sampleEvents(end: Instant): Generator<CloudEvent> {
  const entries = readEntries();
  const fact = (name: string) => ({ id: `${name}/${end}`, source: CATALOG_SOURCE, time: end });
  const categories = readCategories();
  const titles = new Map(categories.map(({ slug, title }) => [slug, title]));
  for (const category of categories) {
    yield categoryDefined(category, 1, fact(`category/${category.slug}`));
  }
  for (const entry of entries) {
    const data = { revision: 1, ...contentOf(entry, titles, end) };
    yield eventOf('catalog.entry.published.v1', entry.slug, fact(`entry/${entry.slug}`), data);
  }
  for (const entry of entries) {
    for (const { ageMs, measures } of generateMeasurements(entry, SEED)) {
      const time = instantAt(unixMs(end) - ageMs);
      const id = `${entry.slug}/${time}/${end}/${SEED}`;
      yield entryMeasured(entry.slug, entry.kind, measures, { id, source: METRICS_SOURCE, time });
    }
  }
  for (const target of TARGETS) {
    yield targetDefined(target, { id: `target/${target.id}/${end}`, source: PROBES_SOURCE, time: end });
  }
  const last = lastRoundBy(unixMs(end));
  yield* sampleProbes({ first: last - FIRST_ROUNDS + 1, last });
}

interface SampleRounds {
  readonly first: number;
  readonly last: number;
}

/** The generated probes of these rounds, both included. A round's probes are the same whenever they are asked for. */
export function* sampleProbes(
  { first, last }: SampleRounds,
  probesOf = createProbes(SEED, FEW_FAULTS),
): Generator<CloudEvent> {
  for (let round = first; round <= last; round += 1) {
    for (const probe of probesOf(round)) {
      const { name, time } = probe;
      yield probeCompleted(probe, { id: `${name}/${SEED}`, source: PROBES_SOURCE, time });
    }
  }
}

/** Rounds of probes that the sample has in the end: 90 days. */
export const HISTORY_ROUNDS = 90 * ROUNDS_A_DAY;

/** The same, as coarse as the history before the first rounds is: about 1,500 events a day instead of 13,000. */
export function historyProbes(rounds: SampleRounds): Generator<CloudEvent> {
  return sampleProbes(rounds, createProbes(SEED, FEW_FAULTS, true));
}

/** What the data files say of an entry, as the content that is published, with texts that follow from that. */
function contentOf(entry: SampleEntry, categories: Titles, end: Instant): JsonObject {
  const { kind, subtype, username, title, language, category } = entry;
  const page = pageOf(entry);
  return {
    kind,
    ...(subtype === undefined ? {} : { subtype }),
    username,
    title: { [language]: title },
    summary: summaryOf(entry, categories),
    description: descriptionOf(entry, categories),
    ...(category === null ? {} : { category }),
    tags: tagsOf(entry, categories),
    language,
    verified: false,
    flags: FLAGS,
    ...(page === null ? {} : { page_url: page }),
    open_url: `https://t.me/${username}`,
    links: [],
    published_at: end,
  };
}
