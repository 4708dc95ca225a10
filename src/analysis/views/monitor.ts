import { at, column } from '../column.ts';
import { documentView, type Entry } from '../view.ts';
import { hoursOf, probesOf, type Hour, type Probe } from './probes.ts';

/** What the monitor has seen: targets, each probe of them, and hours of probes. */

export const targets = documentView<Entry>({
  name: 'targets',
  readModel: 'monitor',
  meaning: 'A row for each target of the monitor that is defined.',
  items: (entry) => (at(entry.body, 'view.defined') === true ? [entry] : []),
  columns: {
    target: column('text', 'The target.', ({ id }) => id),
    name_en: column('text', 'Its English name.', ({ body }) => at(body, 'view.name.en')),
    name_ru: column('text', 'Its Russian name.', ({ body }) => at(body, 'view.name.ru')),
    critical: column('boolean', 'Whether the platform is down without it.', ({ body }) =>
      at(body, 'view.critical'),
    ),
    slow_ms: column('integer', 'From when on a probe is slow, as it was defined.', ({ body }) =>
      at(body, 'view.slow_ms'),
    ),
  },
});

export const probes = documentView<Probe>({
  name: 'probes',
  readModel: 'monitor',
  meaning:
    'A row for each probe: what one vantage point found of one target in one round. Kept for 100 days.',
  items: probesOf,
  columns: {
    target: column('text', 'The target.', ({ target }) => target),
    vantage_point: column('text', 'Where it was probed from.', ({ point }) => point),
    round: column('time', 'The start of the round, a whole minute.', ({ round }) => momentOf(round, 60_000)),
    checked_at: column('time', 'When it was probed.', ({ value }) => at(value, 'checked_at')),
    result: column('text', '`ok`, `slow` or `fail`.', ({ value }) => at(value, 'result')),
    latency_ms: column('number', 'Empty where it failed.', ({ value }) => at(value, 'latency_ms')),
    cause: column('text', 'Why it failed or was slow, where that is known.', ({ value }) =>
      at(value, 'cause'),
    ),
    attempts: column('integer', 'How often it was tried in the round.', ({ value }) => at(value, 'attempts')),
  },
});

export const hours = documentView<Hour>({
  name: 'hours',
  readModel: 'monitor',
  meaning: 'A row for each target and hour in which it was probed.',
  items: hoursOf,
  columns: {
    target: column('text', 'The target.', ({ target }) => target),
    hour: column('time', 'The start of the hour.', ({ hour }) => momentOf(hour, 3_600_000)),
    rounds: column('integer', 'Rounds that somebody reported in, 60 at most.', ({ rounds }) => rounds),
    probes: column('integer', 'All probes.', (hour) => hour.ok + hour.slow + hour.fail),
    ok: column('integer', 'Probes that were fine.', ({ ok }) => ok),
    slow: column('integer', 'Probes that were slow.', ({ slow }) => slow),
    fail: column('integer', 'Probes that failed.', ({ fail }) => fail),
    latency_p50_ms: column('number', 'The median latency, by nearest rank.', ({ p50 }) => p50),
    latency_p95_ms: column(
      'number',
      'The latency that 95 % do not exceed, by nearest rank.',
      ({ p95 }) => p95,
    ),
  },
});

/** The instant of a count of minutes or hours since 1970; undefined outside of what dates can hold. */
function momentOf(count: number, unitMs: number): string | undefined {
  const date = new Date(count * unitMs);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
