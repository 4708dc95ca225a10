import { at, column } from '../column.ts';
import { documentView } from '../view.ts';
import { hoursOf, probesOf } from './probes.ts';

/** What the monitor has seen: targets, each probe of them, and hours of probes. */

export const targets = documentView({
  name: 'targets',
  readModel: 'monitor',
  meaning: 'A row for each target of the monitor that is defined.',
  items: (entry) => (at(entry.body, 'view.defined') === true ? [entry] : []),
  columns: {
    target: column('text', 'The target.', 'id'),
    name_en: column('text', 'Its English name.', 'body.view.name.en'),
    name_ru: column('text', 'Its Russian name.', 'body.view.name.ru'),
    critical: column('boolean', 'Whether the platform is down without it.', 'body.view.critical'),
    slow_ms: column('integer', 'From when on a probe is slow, as it was defined.', 'body.view.slow_ms'),
  },
});

export const probes = documentView({
  name: 'probes',
  readModel: 'monitor',
  meaning:
    'A row for each probe: what one vantage point found of one target in one round. Kept for 100 days.',
  items: probesOf,
  columns: {
    target: column('text', 'The target.'),
    vantage_point: column('text', 'Where it was probed from.', 'point'),
    round: column('time', 'The start of the round, a whole minute.', 'startedAt'),
    checked_at: column('time', 'When it was probed.', 'value.checked_at'),
    result: column('text', '`ok`, `slow` or `fail`.', 'value.result'),
    latency_ms: column('number', 'Empty where it failed.', 'value.latency_ms'),
    cause: column('text', 'Why it failed or was slow, where that is known.', 'value.cause'),
    attempts: column('integer', 'How often it was tried in the round.', 'value.attempts'),
  },
});

export const hours = documentView({
  name: 'hours',
  readModel: 'monitor',
  meaning: 'A row for each target and hour in which it was probed.',
  items: hoursOf,
  columns: {
    target: column('text', 'The target.'),
    hour: column('time', 'The start of the hour.'),
    rounds: column('integer', 'Rounds that somebody reported in, 60 at most.'),
    probes: column('integer', 'All probes.'),
    ok: column('integer', 'Probes that were fine.'),
    slow: column('integer', 'Probes that were slow.'),
    fail: column('integer', 'Probes that failed.'),
    latency_p50_ms: column('number', 'The median latency, by nearest rank.', 'p50'),
    latency_p95_ms: column('number', 'The latency that 95 % do not exceed, by nearest rank.', 'p95'),
  },
});
