import { at } from '../column.ts';
import type { Entry } from '../view.ts';

/** The probes of a stored hour, as they were received. The registers have their latencies in full, the view rounds them. */

interface Probe {
  readonly target: string;
  /** The Unix time of its start in whole minutes. */
  readonly round: number;
  readonly startedAt: string | undefined;
  readonly point: string;
  readonly value: unknown;
}

/** None, where the document is that of a target. */
export function probesOf({ id, body }: Entry): readonly Probe[] {
  const [target = id] = id.split('/', 1);
  return entriesOf(at(body, 'registers.probes')).flatMap(([round, points]) =>
    entriesOf(points).flatMap(([point, written]) => {
      const value = at(written, 'value');
      const startedAt = momentOf(Number(round), 60_000);
      return value ? [{ target, round: Number(round), startedAt, point, value }] : [];
    }),
  );
}

/** One, or none where the document holds no probes. */
export function hoursOf(entry: Entry): readonly object[] {
  const probes = probesOf(entry);
  const [first] = probes;
  if (!first) return [];
  const results = probes.map(({ value }) => at(value, 'result'));
  const many = (result: string): number => results.filter((one) => one === result).length;
  const latencies = probes
    .map(({ value }) => at(value, 'latency_ms'))
    .filter((latency): latency is number => typeof latency === 'number')
    .sort((a, b) => a - b);
  return [
    {
      target: first.target,
      hour: momentOf(Math.floor(first.round / 60), 3_600_000),
      rounds: new Set(probes.map(({ round }) => round)).size,
      probes: results.length,
      ok: many('ok'),
      slow: many('slow'),
      fail: many('fail'),
      p50: nearestRank(latencies, 50),
      p95: nearestRank(latencies, 95),
    },
  ];
}

/** The smallest of ascending values that so many per cent of all do not exceed. */
function nearestRank(ascending: readonly number[], percent: number): number | null {
  return ascending[Math.ceil((ascending.length * percent) / 100) - 1] ?? null;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** The instant of a count of minutes or hours since 1970; undefined outside of what dates can hold. */
function momentOf(count: number, unitMs: number): string | undefined {
  const date = new Date(count * unitMs);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
