import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { createQuota, type Quota, type Take } from '../../../src/access/quota.ts';
import { faulty, manualClock, openFile, type Faults } from './fixture.ts';

/**
 * Any history of requests, give backs, lost answers, restarts and midnights over three instances, against a model:
 * how many requests of each key and day were granted and not given back.
 */

const LIMIT = 6;

const instance = fc.constantFrom(0, 1, 2);
const key = fc.constantFrom('k_one', 'k_two');
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      instance,
      key,
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('all take' as const), key }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('give back' as const), which: fc.nat(), again: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('lose answers' as const),
      instance,
      count: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), instance }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pass hours' as const),
      count: fc.integer({ min: 1, max: 20 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test('after any history exactly the requests that were granted and not given back are counted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await using world = await openWorld();
      for (const each of steps) await world.run(each);
    }),
    { numRuns: 150 },
  );
});

interface Instance {
  readonly quota: Quota;
  readonly faults: Faults;
}

interface Open {
  readonly by: Instance;
  readonly take: Take;
  readonly key: string;
  readonly day: number;
}

async function openWorld() {
  const file = openFile();
  const clock = manualClock();
  const instances = [start(), start(), start()];
  const used = new Map<string, number>();
  let open: readonly Open[] = [];
  await at(0).quota.declare();

  return {
    run,
    async [Symbol.asyncDispose]() {
      for (const { quota } of instances) await quota[Symbol.asyncDispose]();
      await file[Symbol.asyncDispose]();
    },
  };

  function start(): Instance {
    const { documents, faults } = faulty(file.client(clock));
    const local = { now: () => clock.time, sleep: () => Promise.resolve() };
    return { quota: createQuota({ documents, clock: local, limit: LIMIT }), faults };
  }

  function at(index: number): Instance {
    const found = instances[index];
    if (!found) throw new Error(`There is no instance ${index}`);
    return found;
  }

  async function run(each: Step): Promise<void> {
    switch (each.kind) {
      case 'take':
        return await expectTaken(
          each.key,
          Array.from({ length: each.count }, () => at(each.instance)),
        );
      case 'all take':
        return await expectTaken(each.key, [...instances, ...instances]);
      case 'give back':
        return await expectGivenBack(each.which, each.again);
      case 'lose answers':
        at(each.instance).faults.answersToLose = each.count;
        return;
      case 'restart':
        open = open.filter(({ by }) => by !== at(each.instance));
        instances[each.instance] = start();
        return;
      case 'pass hours':
        clock.advance(each.count * 3_600_000);
        // Documents of the days before yesterday are gone, and so is what could be given back to them.
        open = open.filter(({ day }) => day >= today() - 1);
        return;
    }
  }

  async function expectTaken(keyId: string, callers: readonly Instance[]): Promise<void> {
    const before = usedOn(keyId, today());
    const takes = await Promise.all(
      callers.map(async (by) => ({ by, take: await by.quota.take(keyId), key: keyId, day: today() })),
    );
    const granted = takes.filter(({ take }) => take.granted);
    const left = granted.map(({ take }) => take.remaining).sort((a, b) => b - a);
    const expected = Math.min(callers.length, LIMIT - before);
    expect(left).toEqual(Array.from({ length: expected }, (_, index) => LIMIT - before - 1 - index));
    used.set(`${keyId} ${today()}`, before + expected);
    open = [...open, ...granted];
  }

  async function expectGivenBack(which: number, again: boolean): Promise<void> {
    const chosen = open[which % Math.max(1, open.length)];
    if (!chosen) return;
    open = open.filter((other) => other !== chosen);
    const left = usedOn(chosen.key, chosen.day) - 1;
    used.set(`${chosen.key} ${chosen.day}`, left);
    expect(await chosen.by.quota.giveBack(chosen.take)).toBe(LIMIT - left);
    if (again) expect(await chosen.by.quota.giveBack(chosen.take)).toBe(LIMIT - left);
  }

  function usedOn(keyId: string, day: number): number {
    return used.get(`${keyId} ${day}`) ?? 0;
  }

  function today(): number {
    return Math.floor(clock.time / 86_400_000);
  }
}
