import { describe, expect, test } from 'vitest';

import { createRandoms } from '../../../src/sample/random.ts';
import { TARGETS } from '../../../src/sample/targets.ts';
import {
  createFaultSchedule,
  FEW_FAULTS,
  MANY_FAULTS,
  type Fault,
  type FaultProfile,
} from '../../../src/sample/fault-schedule.ts';

const DAY = 1440;
const FIRST = 20_000 * DAY;
const DAYS = 60;

/** Every fault of 60 days, and how many of the rounds had one. */
function faultsOf(profile: FaultProfile): { readonly faults: readonly Fault[]; readonly faulty: number } {
  const faultAt = createFaultSchedule(profile, createRandoms('weather'));
  const faults = new Map<string, Fault>();
  let faulty = 0;
  for (let round = FIRST; round < FIRST + DAYS * DAY; round += 1) {
    const found = TARGETS.map(({ id }) => faultAt(id, round)).filter((fault) => fault !== null);
    for (const fault of found) faults.set(`${fault.target}/${fault.first}`, fault);
    faulty += found.length > 0 ? 1 : 0;
  }
  return { faults: [...faults.values()], faulty };
}

describe('the fault schedule', () => {
  test('is known of any round, in any order of asking', () => {
    const inOrder = createFaultSchedule(MANY_FAULTS, createRandoms('weather'));
    const rounds = Array.from({ length: 5 * DAY }, (_, index) => FIRST + index);
    const forwards = rounds.map((round) => inOrder('client', round));
    const backwards = rounds.toReversed().map((round) => inOrder('client', round));
    expect(backwards.toReversed()).toEqual(forwards);
    expect(forwards.some((fault) => fault !== null)).toBe(true);
  });

  test('of the sample has one or two faults a day, and is almost always free of them', () => {
    const { faults, faulty } = faultsOf(FEW_FAULTS);
    const days = new Set(faults.map(({ first }) => Math.floor(first / DAY)));
    expect(days.size).toBe(DAYS);
    expect(faults.length).toBeLessThanOrEqual(2 * DAYS);
    expect(faulty / (DAYS * DAY)).toBeLessThan(0.03);
  });

  test('of simulations has every type of fault, at every target', () => {
    const { faults } = faultsOf(MANY_FAULTS);
    expect(new Set(faults.map(({ type }) => type))).toEqual(
      new Set(['outage', 'slow', 'partial', 'flapping', 'silence']),
    );
    expect(new Set(faults.map(({ target }) => target)).size).toBe(3);
  });
});
