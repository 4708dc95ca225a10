import type { ListingView } from '../../../../projections/listings/document.ts';
import { inLanguage, type Locale } from '../../../api/messages/texts.ts';
import { ENTRIES } from '../../../events/entries.ts';
import type { PastRecord } from '../../../projecting/inspect/past.ts';
import { lifeOf, type Step } from './life.ts';
import { instant, type PastReader } from './reader.ts';

/** Which entries were unpublished in some time, and why. Instants are RFC 3339. */

export interface Unpublished {
  readonly slug: string;
  /** As readers saw it last. */
  readonly title: string;
  /** When the event came into the log. */
  readonly recorded_at: string;
  /** When it happened, as its source says. */
  readonly time: string | null;
  /** null where the event gives none. */
  readonly reason: string | null;
  /** When it was published again; null where it was not. */
  readonly published_again_at: string | null;
  readonly id: string | null;
  readonly source: string | null;
  readonly topic: string;
  readonly partition: number;
  readonly position: number;
}

/**
 * By the time of the log, oldest first. The log is read twice, so that the memory holds the events of those entries that
 * were ever unpublished, and not of all.
 * @param since - Unix milliseconds; null for as long as there is a log.
 */
export async function unpublishedSince(
  reader: PastReader,
  since: number | null,
  locale: Locale,
): Promise<{ readonly unpublished: readonly Unpublished[]; readonly leftOut: number }> {
  const past = await reader.open('listings', [ENTRIES]);
  if (since !== null && since > reader.parts.clock.now()) reader.checkMoment('--since', since);
  const records = new Map<string, PastRecord[]>();
  let leftOut = 0;
  for await (const found of past.records()) {
    if (found.outcome === 'left_out') leftOut += 1;
    else if (found.event.type === 'catalog.entry.unpublished') records.set(found.event.subject, []);
  }
  for await (const found of records.size > 0 ? past.records(new Set(records.keys())) : [])
    if (found.outcome === 'event') records.get(found.event.subject)?.push(found);
  const steps = [...records].flatMap(([slug, own]) =>
    lifeOf(past.projection, slug, own).steps.map((step, at, all) => {
      const again = all.slice(at).find(({ kind }) => kind === 'published_again');
      return { slug, step, again };
    }),
  );
  const unpublished = steps
    .filter(({ step: { kind, found } }) => kind === 'unpublished' && (since === null || found.at >= since))
    .toSorted((a, b) => a.step.found.at - b.step.found.at || (a.slug < b.slug ? -1 : 1))
    .map(({ slug, step, again }) => rowOf(slug, step, again, locale));
  return { unpublished, leftOut };
}

function rowOf(
  slug: string,
  { found, before, reason }: Step,
  again: Step | undefined,
  locale: Locale,
): Unpublished {
  const { topic, partition, position } = found.record;
  const event = found.outcome === 'event' ? found.event : null;
  const { title, username } = before as unknown as Extract<ListingView, { readonly published: true }>;
  return {
    slug,
    title: inLanguage(title, locale) ?? username,
    recorded_at: instant(found.at),
    time: event?.time ?? null,
    reason,
    published_again_at: again === undefined ? null : instant(again.found.at),
    id: event?.id ?? null,
    source: event?.source ?? null,
    topic,
    partition,
    position,
  };
}
