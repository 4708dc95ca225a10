import { describe, expect, test } from 'vitest';

import {
  countedAt,
  FIRST,
  MINUTE,
  probe,
  rounds,
  shownAt,
  statusAfter,
  statusOfRounds,
  target,
} from '../../support/monitor.ts';

/** When the first check of the n-th round was made. */
const checkedAt = (index: number, seconds = 10) =>
  new Date((FIRST + index) * MINUTE + seconds * 1000).toISOString().replace('.000', '');

/** Of two rounds that came back from unknown and up: more changes than a target may have. */
const HELD = 'oo --- oo --- oo';

/** By their rounds, the incidents after them. */
const HELD_AND_OVER: Readonly<Record<string, readonly object[]>> = {
  [HELD]: [{ state: 'open', started_at: checkedAt(10) }],
  [`${HELD} oooooooo`]: [
    { state: 'resolved', started_at: checkedAt(10), resolved_at: checkedAt(10), duration_s: 0 },
  ],
  [`${HELD} w oooooooooo`]: [
    { state: 'resolved', started_at: checkedAt(10), resolved_at: checkedAt(13), duration_s: 180 },
  ],
};

/** What the law on the status (test/laws/monitor-status.test.ts) does not say of incidents. */
describe('an incident', () => {
  test('never ends before it starts: one that flapping alone opened starts with the run that came back', () => {
    for (const [letters, incidents] of Object.entries(HELD_AND_OVER))
      expect(statusOfRounds(letters).incidents, letters).toMatchObject(incidents);
  });

  test('never ends before it starts, however late the checks of its rounds were made', () => {
    const late = rounds('ooo fff oo').map((event) =>
      event.data.result === 'fail'
        ? { ...event, data: { ...event.data, checked_at: checkedAt(14, 0) } }
        : event,
    );
    expect(statusAfter([target('bot_api'), ...late], countedAt(7)).incidents).toMatchObject([
      { started_at: checkedAt(14, 0), resolved_at: checkedAt(14, 0), duration_s: 0 },
    ]);
  });
});

test('the cause of an incident is, of two that are as frequent, the first by name', () => {
  const failing = (...causes: readonly ('dns' | 'tls')[]) => {
    const events = causes.map((cause, index) => probe({ round: FIRST + index, result: 'fail', cause }));
    return statusAfter([target('bot_api'), ...events], countedAt(1)).incidents[0]?.cause;
  };
  expect([failing('tls', 'dns'), failing('dns', 'tls')]).toEqual(['dns', 'dns']);
});

test('the list of incidents holds the last 10, open ones first and then the newest', () => {
  const quiet = 'o'.repeat(40);
  const body = statusAfter(
    [
      target('bot_api'),
      target('client', false),
      ...rounds(`ooo ${`fff ${quiet}`.repeat(12)}`),
      ...rounds('ooo fff', { target: 'client' }),
      ...rounds('f'.repeat(513), { target: 'client', round: FIRST + 6 }),
    ],
    countedAt(518),
  );
  expect(body.incidents).toHaveLength(10);
  expect(body.incidents[0]).toMatchObject({ state: 'open', components: ['client'] });
  const others = body.incidents.slice(1);
  expect(new Set(others.map(({ state }) => state))).toEqual(new Set(['resolved']));
  const detected = others.map(({ detected_at }) => detected_at);
  expect(detected).toEqual(detected.toSorted().toReversed());
  expect(detected[0]).toBe(shownAt(3 + 11 * 43 + 2));
});
