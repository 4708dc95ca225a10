import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { createKeys, type Keys } from '../../../../src/access/keys/keys.ts';
import { createQuota, type Quota } from '../../../../src/access/quota/quota.ts';
import { sizeOf } from '../../../support/sizes.ts';
import { driven, morningClock, openFile } from '../fixture.ts';

/**
 * Any sequence of commands on an account's keys, and of requests with all the keys that it was ever given, over two
 * instances and several days. The model knows nothing of places: of one day, an account is granted no more than five
 * times the limit; a key no more than the limit; and a family, which is a key with those that have replaced it, or that
 * were made right after it was revoked, no more than the limit either.
 */

const RUNS = sizeOf('PLACES_RUNS');
const LIMIT = 4;
const HOUR_MS = 3_600_000;
/** After so long an instance asks the store about a key again. */
const FORGOTTEN_MS = 1001;

const which = fc.nat(30);
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rotate' as const),
      which,
      overlapMs: fc.constantFrom(0, 1, HOUR_MS, 30 * HOUR_MS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revoke' as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('revoke and create' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('race' as const), which }) },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('ask' as const), which, count: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ask with all' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 30 }) }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

test('no sequence of commands gives an account, a key or its successors more than a day has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
      await using world = await openWorld();
      for (const each of commands) await world.run(each);
      await world.exhaust();
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

interface Given {
  readonly key: string;
  readonly id: string;
  readonly family: number;
}

async function openWorld() {
  const file = openFile();
  const clock = morningClock();
  const instances = [start(), start()];
  const given: Given[] = [];
  const granted = new Map<string, number>();
  let families = 0;
  const [first, second] = instances as [Instance, Instance];
  await first.keys.declare();
  await first.quota.declare();

  return {
    run,
    /** All keys, again and again, to the end of the day: what is granted in all is what the places have. */
    async exhaust() {
      for (let round = 0; round < LIMIT + 1; round += 1) await run({ kind: 'ask with all' });
    },
    async [Symbol.asyncDispose]() {
      for (const { quota } of instances) await driven(clock, quota[Symbol.asyncDispose]());
      await file[Symbol.asyncDispose]();
    },
  };

  function start(): Instance {
    const documents = file.client(clock);
    return {
      keys: createKeys({ documents, pepper: 'a pepper for tests alone', clock }),
      quota: createQuota({ documents, clock, limit: LIMIT }),
    };
  }

  async function run(each: Command): Promise<void> {
    switch (each.kind) {
      case 'create':
        return note(await first.keys.create('acme'), (families += 1));
      case 'rotate': {
        const old = chosen(each.which);
        if (!old) return;
        return note(await second.keys.rotate('acme', old.id, { overlapMs: each.overlapMs }), old.family);
      }
      case 'revoke': {
        const old = chosen(each.which);
        if (old) await first.keys.revoke('acme', old.id);
        return pass(FORGOTTEN_MS);
      }
      case 'revoke and create': {
        const old = chosen(each.which);
        if (!old) return;
        // Where another one of its family goes on working, the new key is nobody's successor.
        const before = await active();
        const isLast = before.filter(({ family }) => family === old.family).length === 1;
        const wasActive = before.includes(old);
        if (wasActive) await first.keys.revoke('acme', old.id);
        pass(FORGOTTEN_MS);
        return note(await second.keys.create('acme'), wasActive && isLast ? old.family : (families += 1));
      }
      case 'race': {
        const old = chosen(each.which);
        const [created, rotated] = await Promise.all([
          first.keys.create('acme'),
          old ? second.keys.rotate('acme', old.id, { overlapMs: 0 }) : null,
        ]);
        note(created, (families += 1));
        if (old && rotated) note(rotated, old.family);
        return;
      }
      case 'ask': {
        const one = chosen(each.which);
        if (one) for (let count = 0; count < each.count; count += 1) await ask(one, count);
        return;
      }
      case 'ask with all':
        for (const [index, one] of given.entries()) await ask(one, index);
        return;
      case 'pass':
        return pass(each.hours * HOUR_MS);
    }
  }

  function note(answer: { readonly outcome: string }, family: number): void {
    if (!('key' in answer && 'id' in answer)) return;
    given.push({ key: String(answer.key), id: String(answer.id), family });
    pass(FORGOTTEN_MS);
  }

  async function ask(one: Given, turn: number): Promise<void> {
    const { keys, quota } = instances[turn % 2] as Instance;
    const checked = await keys.check(one.key);
    if (checked.outcome !== 'active') return;
    const take = await driven(clock, quota.take(checked.place, checked.keyId));
    if (!take.granted) return;
    const day = new Date(clock.time).toISOString().slice(0, 10);
    expect(add(`${day} key ${one.id}`)).toBeLessThanOrEqual(LIMIT);
    expect(add(`${day} family ${one.family}`)).toBeLessThanOrEqual(LIMIT);
    expect(add(`${day} account`)).toBeLessThanOrEqual(5 * LIMIT);
  }

  function add(id: string): number {
    const count = (granted.get(id) ?? 0) + 1;
    granted.set(id, count);
    return count;
  }

  async function active(): Promise<readonly Given[]> {
    const checked = await Promise.all(
      given.map(async (one) => ({ one, is: await first.keys.check(one.key) })),
    );
    return checked.filter(({ is }) => is.outcome === 'active').map(({ one }) => one);
  }

  function chosen(index: number): Given | undefined {
    return given[index % Math.max(1, given.length)];
  }

  function pass(ms: number): void {
    clock.advance(ms);
  }
}

interface Instance {
  readonly keys: Keys;
  readonly quota: Quota;
}
