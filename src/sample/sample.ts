import type { CloudEvent } from '../events/envelope.ts';
import { toInstant, unixMs, type Instant } from '../platform/instant.ts';
import type { JsonObject } from '../platform/json.ts';
import { readCategories, readEntries, type SampleCategory, type SampleEntry } from './catalog.ts';
import { generateMeasurements, MEASUREMENTS_PER_ENTRY } from './metrics.ts';

export interface SampleOptions {
  /** When the history ends: the newest measurement, and the time of everything that has no other. */
  readonly end: Instant;
  /** Chooses the generated metrics. */
  readonly seed?: number;
}

/** Real facts, and generated metrics: an event's source says which. */
const CATALOG_SOURCE = '/sample/catalog';
const METRICS_SOURCE = '/sample/generated-metrics';

/**
 * The shipped catalog as events: categories, entries, and 90 days of generated metrics that end at `end`. The same
 * options give the same events, byte for byte. Lazy. An entry's measurements follow each other, so that a projector
 * folds them into its document at once; events of different entries need no order.
 *
 * When the facts were true first is not known, so `published_at` and `time` are the end of the history: when this
 * catalog was made.
 */
export function* sampleEvents({ end, seed = 1 }: SampleOptions): Generator<CloudEvent> {
  const entries = readEntries();
  for (const category of readCategories()) yield categoryDefined(category, end);
  for (const entry of entries) yield entryPublished(entry, end);
  for (const entry of entries) {
    for (const { ageMs, measures } of generateMeasurements(entry, seed)) {
      const time = before(end, ageMs);
      yield entryMeasured(entry, time, measures, `${entry.slug}/${time}/${end}/${seed}`);
    }
  }
}

/** How many events the sample has. */
export function sampleSize(): number {
  return readCategories().length + readEntries().length * (1 + MEASUREMENTS_PER_ENTRY);
}

function categoryDefined({ slug, parent, title }: SampleCategory, time: Instant): CloudEvent {
  return eventOf({
    id: `category/${slug}/${time}`,
    source: CATALOG_SOURCE,
    type: 'catalog.category.defined.v1',
    subject: slug,
    time,
    data: { revision: 1, ...(parent === null ? {} : { parent }), title },
  });
}

function entryPublished(entry: SampleEntry, time: Instant): CloudEvent {
  const { slug, kind, subtype, username, title, language, category } = entry;
  return eventOf({
    id: `entry/${slug}/${time}`,
    source: CATALOG_SOURCE,
    type: 'catalog.entry.published.v1',
    subject: slug,
    time,
    data: {
      revision: 1,
      kind,
      ...(subtype === undefined ? {} : { subtype }),
      username,
      title: { [language]: title },
      ...(category === null ? {} : { category }),
      tags: [],
      language,
      verified: false,
      flags: [],
      open_url: `https://t.me/${username}`,
      links: [],
      published_at: time,
    },
  });
}

function entryMeasured(entry: SampleEntry, time: Instant, measures: JsonObject, id: string): CloudEvent {
  return eventOf({
    id,
    source: METRICS_SOURCE,
    type: 'catalog.entry.measured.v1',
    subject: entry.slug,
    time,
    data: { measured_at: time, kind: entry.kind, ...measures },
  });
}

function eventOf(event: Omit<CloudEvent, 'specversion' | 'datacontenttype'>): CloudEvent {
  return { specversion: '1.0', ...event, datacontenttype: 'application/json' };
}

function before(end: Instant, ms: number): Instant {
  const instant = toInstant(unixMs(end) - ms);
  if (instant === null) throw new RangeError(`There is no history before ${end}`);
  return instant;
}
