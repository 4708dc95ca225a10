import { describe, expect, test } from 'vitest';

import { stateAfter, statusOfRounds } from '../../support/monitor.ts';

/** Up, down and up again: two changes in five rounds. The first two rounds of a history are a change as well. */
const AGAIN = 'fff oo';

describe('more than 4 changes in 30 minutes', () => {
  test('are flapping: the target is held at degraded', () => {
    expect(statusOfRounds(`oo ${AGAIN} fff`)).toMatchObject({ state: 'down', flapping: false });
    expect(statusOfRounds(`oo ${AGAIN} fff o`)).toMatchObject({ state: 'down', flapping: false });
    expect(statusOfRounds(`oo ${AGAIN} fff oo`)).toMatchObject({ state: 'degraded', flapping: true });
  });

  test('count a change to unknown as well', () => {
    expect(statusOfRounds('oo --- oo ---').flapping).toBe(false);
    expect(statusOfRounds('oo --- oo --- oo')).toMatchObject({ state: 'degraded', flapping: true });
  });

  test('are not flapping where the first of them is longer ago', () => {
    // The first change is caused by the second round, the fifth by the 32nd and by the 33rd.
    const within = `oo ${AGAIN} oooooooooooooooooooo fff oo`;
    const beyond = `oo ${AGAIN} ooooooooooooooooooooo fff oo`;
    expect(statusOfRounds(within).flapping).toBe(true);
    expect(statusOfRounds(beyond)).toMatchObject({ state: 'up', flapping: false });
  });
});

describe('a target that flaps', () => {
  const flapping = `oo ${AGAIN} fff oo`;

  test('stays degraded whatever comes, a long failure too', () => {
    expect(stateAfter(`${flapping} fffffffff`)).toBe('degraded');
    expect(stateAfter(`${flapping} ooooooof`)).toBe('degraded');
  });

  test('is up after 10 ok rounds in a row, which clears the count', () => {
    expect(statusOfRounds(`${flapping} w ooooooooo`)).toMatchObject({ state: 'degraded', flapping: true });
    expect(statusOfRounds(`${flapping} w oooooooooo`)).toMatchObject({ state: 'up', flapping: false });
    expect(statusOfRounds(`${flapping} w oooooooooo fff`)).toMatchObject({ state: 'down', flapping: false });
  });

  test('counts the ok rounds from before it was held', () => {
    expect(stateAfter(`${flapping} ooooooo`)).toBe('degraded');
    expect(stateAfter(`${flapping} oooooooo`)).toBe('up');
  });

  test('is unknown after a silence, which ends flapping and clears the count too', () => {
    expect(statusOfRounds(`${flapping} ---`)).toMatchObject({ state: 'unknown', flapping: false });
    expect(statusOfRounds(`${flapping} --- oo`)).toMatchObject({ state: 'up', flapping: false });
  });
});
