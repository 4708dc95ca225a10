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

describe('an incident', () => {
  test('opens on entering degraded or down from up', () => {
    expect(incidentsAfter('ooo ww')).toEqual([]);
    expect(incidentsAfter('ooo www')).toMatchObject([{ state: 'open', severity: 'degraded' }]);
    expect(incidentsAfter('ooo fff')).toMatchObject([{ state: 'open', severity: 'down' }]);
  });

  test('opens on entering degraded or down from unknown', () => {
    expect(incidentsAfter('ww')).toMatchObject([{ severity: 'degraded', detected_at: shownAt(1) }]);
    expect(incidentsAfter('ff')).toMatchObject([{ severity: 'down', started_at: checkedAt(0) }]);
  });

  test('has the target and the Unix time of its detection as id', () => {
    const [incident] = incidentsAfter('ooo fff');
    expect(incident?.detected_at).toBe(shownAt(5));
    expect(incident?.id).toBe(`bot_api-${countedAt(5) / 1000}`);
    expect(incident?.components).toEqual(['bot_api']);
  });

  test('starts with the first not-ok check of the rounds that caused the change', () => {
    expect(incidentsAfter('ooo w oo w o w')).toMatchObject([{ started_at: checkedAt(3) }]);
    // In a weak round of this kind the first place to be checked failed and the others were well.
    expect(incidentsAfter('ooo s oooooooooo ww w')).toMatchObject([{ started_at: checkedAt(14) }]);
    const lateFailure = [
      target('bot_api'),
      ...rounds('ooo'),
      ...[3, 4, 5].flatMap((index) => [
        probe({ round: FIRST + index, vantage_point: 'ap', checked_at: checkedAt(index, 5) }),
        probe({
          round: FIRST + index,
          vantage_point: 'eu',
          result: 'fail',
          checked_at: checkedAt(index, 40),
        }),
      ]),
    ];
    expect(statusAfter(lateFailure, countedAt(5)).incidents).toMatchObject([
      { started_at: checkedAt(3, 40) },
    ]);
  });

  test('is resolved at the first good check of the run that closed it', () => {
    expect(incidentsAfter('ooo fff oo')).toMatchObject([
      { state: 'resolved', resolved_at: checkedAt(6), started_at: checkedAt(3), duration_s: 180 },
    ]);
    expect(incidentsAfter('ooo www o w ooooo')).toMatchObject([{ resolved_at: checkedAt(8) }]);
    expect(incidentsAfter('ooo fff wo oooo')).toMatchObject([
      { resolved_at: checkedAt(7), severity: 'down' },
    ]);
  });

  test('never ends before it starts: one that flapping alone opened starts with the run that came back', () => {
    const held = 'oo --- oo --- oo';
    expect(incidentsAfter(held)).toMatchObject([{ state: 'open', started_at: checkedAt(10) }]);
    expect(incidentsAfter(`${held} oooooooo`)).toMatchObject([
      { state: 'resolved', started_at: checkedAt(10), resolved_at: checkedAt(10), duration_s: 0 },
    ]);
    expect(incidentsAfter(`${held} w oooooooooo`)).toMatchObject([
      { state: 'resolved', started_at: checkedAt(10), resolved_at: checkedAt(13), duration_s: 180 },
    ]);
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

  test('has the worst severity that it reached', () => {
    expect(incidentsAfter('ooo wwfff')).toMatchObject([{ severity: 'down', detected_at: shownAt(5) }]);
    expect(incidentsAfter('ooo fff ww')).toMatchObject([{ state: 'open', severity: 'down' }]);
  });

  test('is neither opened nor closed by silence', () => {
    expect(incidentsAfter('ooo ---')).toEqual([]);
    expect(incidentsAfter('ooo fff ---')).toMatchObject([
      { state: 'open', resolved_at: null, duration_s: null },
    ]);
    expect(incidentsAfter('ooo fff --- ww')).toMatchObject([{ state: 'open', detected_at: shownAt(5) }]);
    expect(incidentsAfter('ooo fff --- oo')).toMatchObject([
      { state: 'resolved', resolved_at: checkedAt(9) },
    ]);
  });

  test('that starts within 5 minutes of the last one being resolved is that one', () => {
    const [first] = incidentsAfter('ooo fff oo');
    // Resolved in the seventh round; the next one starts five minutes later, and then six.
    expect(incidentsAfter('ooo fff ooooo fff')).toMatchObject([
      { id: first?.id, state: 'open', resolved_at: null, started_at: first?.started_at },
    ]);
    expect(incidentsAfter('ooo fff oooooo fff')).toMatchObject([{ state: 'open' }, { id: first?.id }]);
    expect(incidentsAfter('ooo www ooooo fff')).toMatchObject([{ severity: 'down', state: 'open' }]);
  });
});

describe('the cause of an incident', () => {
  const failing = (...causes: readonly (string | null)[]) => {
    const events = causes.map((cause, index) =>
      probe({ round: FIRST + index, result: 'fail', cause: cause as 'dns' | null }),
    );
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

  test('is, of two that are as frequent, the first by name', () => {
    expect(failing('tls', 'dns')).toBe('dns');
    expect(failing('dns', 'tls')).toBe('dns');
  });

  test('is null where none was reported', () => {
    expect(failing(null, null)).toBeNull();
    expect(incidentsAfter('ss')).toMatchObject([{ cause: null }]);
    expect(failing(null, 'tls')).toBe('tls');
  });
});

describe('the list of incidents', () => {
  test('holds the last 10, open ones first and then the newest', () => {
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
});
