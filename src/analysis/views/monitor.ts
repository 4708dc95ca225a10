import { at, column, documentView, type Entry } from '../sql-view.ts';

/** What the monitor has seen: targets, and each probe of them. */

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
    round: column('time', 'The start of the round, a whole minute.'),
    checked_at: column('time', 'When it was probed.', 'value.checked_at'),
    result: column('text', '`ok`, `slow` or `fail`.', 'value.result'),
    latency_ms: column('number', 'Empty where it failed.', 'value.latency_ms'),
    cause: column('text', 'Why it failed or was slow, where that is known.', 'value.cause'),
    attempts: column('integer', 'How often it was tried in the round.', 'value.attempts'),
  },
});

/**
 * The probes of a stored hour, as they were received: the registers have their latencies in full, the view rounds them. None,
 * where the document is that of a target.
 */
function probesOf({ id, body }: Entry): readonly object[] {
  const [target = id] = id.split('/', 1);
  return entriesOf(at(body, 'registers.probes')).flatMap(([round, points]) =>
    entriesOf(points).flatMap(([point, written]) => {
      const value = at(written, 'value');
      return value ? [{ target, round: startOf(Number(round)), point, value }] : [];
    }),
  );
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** The instant of a count of minutes since 1970; undefined outside of what dates can hold. */
function startOf(round: number): string | undefined {
  const date = new Date(round * 60_000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
