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
const incidentsAfter = (letters: string) => statusOfRounds(letters).incidents;

/** Of two rounds that came back from unknown and up: more changes than a target may have. */
const HELD = 'oo --- oo --- oo';

/** Each rule with histories that it tells apart, and the incidents after each. */
const RULES: Readonly<Record<string, Readonly<Record<string, readonly object[]>>>> = {
  'opens on entering degraded or down, from up and from unknown': {
    'ooo ww': [],
    'ooo www': [{ state: 'open', severity: 'degraded' }],
    'ooo fff': [{ state: 'open', severity: 'down' }],
    ww: [{ severity: 'degraded', detected_at: shownAt(1) }],
    ff: [{ severity: 'down', started_at: checkedAt(0) }],
  },
  'starts with the first not-ok check of the rounds that caused the change': {
    'ooo w oo w o w': [{ started_at: checkedAt(3) }],
    // In a weak round of this kind the first place to be checked failed and the others were well.
    'ooo s oooooooooo ww w': [{ started_at: checkedAt(14) }],
  },
  'is resolved at the first good check of the run that closed it': {
    'ooo fff oo': [
      { state: 'resolved', resolved_at: checkedAt(6), started_at: checkedAt(3), duration_s: 180 },
    ],
    'ooo www o w ooooo': [{ resolved_at: checkedAt(8) }],
    'ooo fff wo oooo': [{ resolved_at: checkedAt(7), severity: 'down' }],
  },
  'never ends before it starts: one that flapping alone opened starts with the run that came back': {
    [HELD]: [{ state: 'open', started_at: checkedAt(10) }],
    [`${HELD} oooooooo`]: [
      { state: 'resolved', started_at: checkedAt(10), resolved_at: checkedAt(10), duration_s: 0 },
    ],
    [`${HELD} w oooooooooo`]: [
      { state: 'resolved', started_at: checkedAt(10), resolved_at: checkedAt(13), duration_s: 180 },
    ],
  },
  'has the worst severity that it reached': {
    'ooo wwfff': [{ severity: 'down', detected_at: shownAt(5) }],
    'ooo fff ww': [{ state: 'open', severity: 'down' }],
  },
  'is neither opened nor closed by silence': {
    'ooo ---': [],
    'ooo fff ---': [{ state: 'open', resolved_at: null, duration_s: null }],
    'ooo fff --- ww': [{ state: 'open', detected_at: shownAt(5) }],
    'ooo fff --- oo': [{ state: 'resolved', resolved_at: checkedAt(9) }],
  },
  // Resolved in the seventh round; the next one starts five minutes later, and then six.
  'that starts within 5 minutes of the last one being resolved is that one': {
    'ooo fff ooooo fff': [{ state: 'open', started_at: checkedAt(3), resolved_at: null }],
    'ooo fff oooooo fff': [{ state: 'open' }, { started_at: checkedAt(3) }],
    'ooo www ooooo fff': [{ severity: 'down', state: 'open' }],
  },
};

describe('an incident', () => {
  test.each(Object.entries(RULES))('%s', (_rule, histories) => {
    for (const [letters, incidents] of Object.entries(histories))
      expect(incidentsAfter(letters), letters).toMatchObject(incidents);
  });

  test('has the target and the Unix time of its detection as id', () => {
    const [incident] = incidentsAfter('ooo fff');
    expect(incident).toMatchObject({ detected_at: shownAt(5), components: ['bot_api'] });
    expect(incident?.id).toBe(`bot_api-${countedAt(5) / 1000}`);
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

describe('the cause of an incident', () => {
  const failing = (...causes: readonly ('dns' | 'tls' | null)[]) => {
    const events = causes.map((cause, index) => probe({ round: FIRST + index, result: 'fail', cause }));
    return statusAfter([target('bot_api'), ...events], countedAt(causes.length - 1)).incidents[0]?.cause;
  };

  test('is the most frequent one among the failing checks that caused it', () => {
    const events = [
      target('bot_api'),
      ...rounds('ooo'),
      ...rounds('f', { round: FIRST + 3, cause: 'dns' }),
      ...rounds('ff', { round: FIRST + 4, cause: 'tls' }),
      ...rounds('fff', { round: FIRST + 6, cause: 'dns' }),
    ];
    expect(statusAfter(events, countedAt(8)).incidents).toMatchObject([{ cause: 'tls' }]);
  });

  test('is, of two that are as frequent, the first by name; null where none was reported', () => {
    expect([failing('tls', 'dns'), failing('dns', 'tls'), failing(null, 'tls')]).toEqual([
      'dns',
      'dns',
      'tls',
    ]);
    expect([failing(null, null), incidentsAfter('ss')[0]?.cause]).toEqual([null, null]);
  });
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
