import type { ChannelMetrics, Content, ListingView } from '../../projections/listings/document.ts';
import type { ListingEvent } from '../../projections/listings/event-to-registers.ts';
import type { ShownMetrics } from '../../projections/listings/metrics.ts';
import type { EntryEvent, PublishedData } from '../../src/events/entry-events.ts';
import type { EntryMeasured, MeasuredData } from '../../src/events/measurement-events.ts';
import { naiveScore } from './naive-score.ts';
import { asNumber, divide, fraction, fromText, multiply, nearest } from './rational.ts';

/**
 * A listing a second time, from its whole list of events and without registers: sort, take the last, look back day by
 * day. It and the projection check each other.
 */
export function naiveListing(events: readonly ListingEvent[]): ListingView {
  const written = events.filter((event): event is EntryEvent => event.type !== 'catalog.entry.measured');
  const measured = events.filter((event): event is EntryMeasured => event.type === 'catalog.entry.measured');
  const last = written.toSorted(byRevision).at(-1);
  if (last?.type !== 'catalog.entry.published') return { published: false };
  const content = contentOf(last.data);
  const shown = naiveMetrics(
    content.kind,
    measured.filter((event) => event.data.kind === content.kind),
  );
  const instants = [last.time, ...(shown.metrics ? [shown.metrics.measured_at] : [])];
  return {
    ...content,
    published: true,
    updated_at: instants.toSorted().at(-1) ?? '',
    audience: naiveAudience(shown),
    score: naiveScore(content, shown),
    ...shown,
  };
}

/** Revision first; then what takes away; then the digest. */
function byRevision(a: EntryEvent, b: EntryEvent): number {
  const takesAway = (event: EntryEvent) => (event.type === 'catalog.entry.unpublished' ? 1 : 0);
  return a.data.revision - b.data.revision || takesAway(a) - takesAway(b) || textOrder(a.digest, b.digest);
}

function byInstant(a: EntryMeasured, b: EntryMeasured): number {
  return textOrder(a.data.measured_at, b.data.measured_at) || textOrder(a.digest, b.digest);
}

function textOrder(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function contentOf(data: PublishedData): Content {
  const content: Partial<PublishedData> = { ...data };
  delete content.revision;
  return content as Content;
}

function naiveMetrics(kind: Content['kind'], events: readonly EntryMeasured[]): ShownMetrics {
  const sorted = events.toSorted(byInstant);
  const newest = sorted.at(-1);
  if (!newest) return { kind, metrics: null };
  const valueOn = (day: string) =>
    sorted
      .filter((event) => event.data.measured_at.startsWith(day))
      .map(({ data }) => sizeOf(data))
      .at(-1);
  const newestDay = newest.data.measured_at.slice(0, 10);
  const history: ChannelMetrics['history'] = [];
  for (let back = 89; back >= 0; back -= 1) {
    const day = dayBefore(newestDay, back);
    const value = valueOn(day);
    if (value !== undefined) history.push({ day, value });
  }
  const growth = (days: number) => {
    const older = [days, days + 1, days + 2]
      .map((back) => valueOn(dayBefore(newestDay, back)))
      .find((value) => value !== undefined);
    if (older === undefined) return null;
    const abs = sizeOf(newest.data) - older;
    const percent = older === 0 ? null : multiply(fraction(abs, older), fraction(100));
    return { abs, pct: percent && asNumber(nearest(percent, 100), 2) };
  };
  const { measured_at, kind: _, ...received } = newest.data as MeasuredData & { kind: 'channel' };
  const views = received.avg_views;
  const rate =
    kind !== 'channel' || views === null || received.subscribers === 0
      ? null
      : multiply(divide(fromText(views), fraction(received.subscribers)), fraction(100));
  const computed = { measured_at, history, growth: { d1: growth(1), d7: growth(7), d30: growth(30) } };
  const err = kind === 'channel' ? { err_pct: rate && asNumber(nearest(rate, 10), 1) } : {};
  return { kind, metrics: { ...received, ...err, ...computed } } as ShownMetrics;
}

function sizeOf(data: MeasuredData): number {
  return data.kind === 'channel' ? data.subscribers : data.monthly_users;
}

function dayBefore(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() - days);
  return date.toISOString().slice(0, 10);
}

function naiveAudience(shown: ShownMetrics): { value: number; unit: 'subscribers' | 'monthly_users' } | null {
  if (!shown.metrics) return null;
  return shown.kind === 'channel'
    ? { value: shown.metrics.subscribers, unit: 'subscribers' }
    : { value: shown.metrics.monthly_users, unit: 'monthly_users' };
}
