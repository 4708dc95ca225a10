import type { ListingRegisters, ListingView } from '../../projections/listings/document.ts';
import type { ListingEvent } from '../../projections/listings/evolve.ts';
import type { EntryEvent } from '../../src/events/entries.ts';
import type { EntryMeasured } from '../../src/events/metrics.ts';
import { naiveListing } from './naive-listing.ts';

/**
 * The listings of a list of events a second time, registers and all, without a register or a join: sort, and take the last. It
 * and the fold check each other.
 */
export function independentListings(
  events: readonly ListingEvent[],
): ReadonlyMap<string, { readonly registers: ListingRegisters; readonly view: ListingView }> {
  const bySlug = Map.groupBy(events, ({ subject }) => subject);
  return new Map(
    [...bySlug].map(([slug, own]) => [slug, { registers: registersOf(own), view: naiveListing(own) }]),
  );
}

function registersOf(events: readonly ListingEvent[]): ListingRegisters {
  const told = events.filter((event): event is EntryEvent => event.type !== 'catalog.entry.measured');
  const measured = events.filter((event): event is EntryMeasured => event.type === 'catalog.entry.measured');
  const kinds = [...new Set(measured.map(({ data }) => data.kind))];
  const ofKind = (kind: string) => measured.filter(({ data }) => data.kind === kind).toSorted(byInstant);
  return {
    content: contentOf(told),
    metrics: Object.fromEntries(kinds.map((kind) => [kind, metricsOf(ofKind(kind).at(-1))])),
    audience: Object.fromEntries(kinds.map((kind) => [kind, audienceOf(ofKind(kind))])),
  };
}

function contentOf(told: readonly EntryEvent[]): ListingRegisters['content'] {
  const last = told
    .toSorted((a, b) => a.data.revision - b.data.revision || isGone(a) - isGone(b) || textOrder(a, b))
    .at(-1);
  if (!last) return null;
  const stamp = { at: last.data.revision, digest: last.digest.slice(0, 32), time: last.time };
  if (last.type === 'catalog.entry.unpublished') return { ...stamp, value: null };
  const { revision: _revision, ...value } = last.data;
  return { ...stamp, value };
}

function isGone({ type }: EntryEvent): number {
  return type === 'catalog.entry.unpublished' ? 1 : 0;
}

function metricsOf(newest: EntryMeasured | undefined): ListingRegisters['metrics'][string] {
  if (!newest) return null;
  const { measured_at: at, kind: _kind, ...value } = newest.data;
  return { at, digest: newest.digest.slice(0, 32), value };
}

/** The last audience of each of the 90 days that end with the newest one. */
function audienceOf(sorted: readonly EntryMeasured[]): ListingRegisters['audience'][string] {
  const newest = Date.parse(String(sorted.at(-1)?.data.measured_at).slice(0, 10));
  const days = sorted.flatMap((event) => {
    const { data, digest } = event;
    const day = data.measured_at.slice(0, 10);
    if (newest - Date.parse(day) >= 90 * 86_400_000) return [];
    const value = data.kind === 'channel' ? data.subscribers : data.monthly_users;
    return [[day, { at: data.measured_at, digest: digest.slice(0, 32), value }] as const];
  });
  return Object.fromEntries(days);
}

function byInstant(a: EntryMeasured, b: EntryMeasured): number {
  return a.data.measured_at < b.data.measured_at
    ? -1
    : a.data.measured_at > b.data.measured_at
      ? 1
      : textOrder(a, b);
}

function textOrder(a: ListingEvent, b: ListingEvent): number {
  return a.digest < b.digest ? -1 : 1;
}
