import type { RegisterValue } from '../../src/projecting/engine/register.ts';
import { decimal, quotient, times, type Decimal } from './decimal.ts';
import type {
  BotMetrics,
  Change,
  ChannelMeasures,
  ChannelMetrics,
  Kind,
  ListingRegisters,
  MiniappMetrics,
} from './document.ts';

/** The metrics that readers see: the newest measurement of a kind, with its history and growth. */
export type ShownMetrics =
  | { readonly kind: 'channel'; readonly metrics: ChannelMetrics | null }
  | { readonly kind: 'bot'; readonly metrics: BotMetrics | null }
  | { readonly kind: 'miniapp'; readonly metrics: MiniappMetrics | null };

/** How many days `history` shows, in days that end at the newest one. */
const HISTORY_DAYS = 90;

/** How much older than `dN` asks for the value it compares with may be, in days. */
const LOOKBACK_DAYS = 2;

const DAY_MS = 86_400_000;

type MeasuredRegisters = Pick<ListingRegisters, 'metrics' | 'audience'>;
type AudienceDays = Readonly<Record<string, RegisterValue<number> | null>>;
type History = ChannelMetrics['history'];

/** The metrics of an entry of this kind; `metrics` is null where none of that kind has been measured. */
export function shownMetrics(kind: Kind, { metrics, audience }: MeasuredRegisters): ShownMetrics {
  const written = metrics[kind];
  if (!written?.value) return { kind, metrics: null };
  const history = historyOf(audience[kind] ?? {});
  const growth = { d1: changeOver(1, history), d7: changeOver(7, history), d30: changeOver(30, history) };
  const shown = { measured_at: String(written.at), growth, history };
  const rate = kind === 'channel' ? { err_pct: viewsToSubscribers(written.value as ChannelMeasures) } : {};
  // A measurement is filed under its own kind (event-to-registers.ts), so the key tells which measures these are.
  return { kind, metrics: { ...written.value, ...rate, ...shown } } as ShownMetrics;
}

/** The audience days that some view shows or compares with; the very map given where all of them are. */
export function withinHistory(days: AudienceDays): AudienceDays {
  const first = firstShownDay(days);
  const kept = Object.entries(days).filter(([day]) => day >= first);
  return kept.length === Object.keys(days).length ? days : Object.fromEntries(kept);
}

/** From one UTC day (`YYYY-MM-DD`) to a later one, in days. */
export function daysBetween(earlier: string, later: string): number {
  return (Date.parse(later) - Date.parse(earlier)) / DAY_MS;
}

function historyOf(days: AudienceDays): History {
  const first = firstShownDay(days);
  const history: History = [];
  for (const [day, written] of Object.entries(days)) {
    const value = written?.value ?? null;
    if (value !== null && day >= first) history.push({ day, value });
  }
  return history.sort((a, b) => (a.day < b.day ? -1 : 1));
}

function changeOver(days: number, history: History): Change | null {
  const newest = history.at(-1);
  if (!newest) return null;
  const latest = daysBefore(days, newest.day);
  const older = history.findLast(({ day }) => day <= latest);
  if (!older || older.day < daysBefore(days + LOOKBACK_DAYS, newest.day)) return null;
  const abs = newest.value - older.value;
  const pct = older.value === 0 ? null : quotient(hundredfold(abs), decimal(older.value), 2);
  return { abs, pct };
}

function viewsToSubscribers({ avg_views, subscribers }: ChannelMeasures): number | null {
  if (avg_views === null || subscribers === 0) return null;
  return quotient(hundredfold(avg_views), decimal(subscribers), 1);
}

function hundredfold(value: number): Decimal {
  return times(decimal(100), decimal(value));
}

/** The first of the days that end at the newest one; days are compared as text. */
function firstShownDay(days: AudienceDays): string {
  const newest = Object.keys(days).reduce((latest, day) => (day > latest ? day : latest), '');
  return newest === '' ? '' : daysBefore(HISTORY_DAYS - 1, newest);
}

function daysBefore(days: number, day: string): string {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
}
