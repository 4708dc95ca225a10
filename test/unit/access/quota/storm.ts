import * as fc from 'fast-check';
import { expect } from 'vitest';

import { LARGEST_ALLOTMENT } from '../../../../src/access/quota/allotment.ts';
import type { QuotaResult } from '../../../../src/access/quota/quota.ts';
import { driven } from '../fixture.ts';
import type { Planted } from './planted.ts';
import { openQuotas, type QuotaInstance } from './stage.ts';

/**
 * Any history of requests, give backs, lost answers, crashes, wrong clocks and midnights over three instances, against
 * a model: how many requests of each key and day were granted and not given back, and how many may be lost.
 */

const LIMIT = 160;
/** So long an instance goes on refusing without asking the store, whatever others give back meanwhile. */
const REFUSED_FOR_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const instance = fc.constantFrom(0, 1, 2);
const key = fc.constantFrom('k_one', 'k_two');
const step = fc.oneof(
  // Of all of them twice, where no instance is said.
  weighted(6, {
    kind: fc.constant('take' as const),
    instance: fc.option(instance, { freq: 2 }),
    key,
    count: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(LIMIT)),
  }),
  weighted(8, {
    kind: fc.constant('take in turn' as const),
    instance,
    key,
    count: fc.integer({ min: 1, max: 15 }),
    everyMs: fc.constantFrom(1, 40, 600),
  }),
  weighted(4, {
    kind: fc.constant('give back' as const),
    which: fc.nat(),
    count: fc.integer({ min: 1, max: 15 }),
  }),
  weighted(2, {
    kind: fc.constant('lose answers' as const),
    instance,
    count: fc.integer({ min: 1, max: 9 }),
  }),
  weighted(1, {
    kind: fc.constant('kill' as const),
    instance,
    wrongByMs: fc.constantFrom(-HOUR_MS, 0, HOUR_MS),
  }),
  weighted(4, {
    kind: fc.constant('pass' as const),
    ms: fc.oneof(
      fc.constant('to midnight' as const),
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: 1, max: 20 }).map((hours) => hours * HOUR_MS),
    ),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Instance extends QuotaInstance {
  /** Requests that failed, by key and day: they may be counted until the instance has healed. */
  readonly doubtful: Map<string, number>;
  /** When somebody else last gave back what a full day can grant again. */
  readonly fullUntil: Map<string, number>;
  /** It may come too late to return its allotments in time, until it has healed. */
  isLate: boolean;
}

interface Answer {
  readonly by: Instance;
  readonly take: QuotaResult;
  readonly on: string;
}

function weighted<T>(weight: number, parts: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return { weight, arbitrary: fc.record(parts) };
}

/** Histories that go as the model says; `planted` stands between each instance and its store. */
export const storms = (planted?: Planted) =>
  fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
    await using world = await openWorld(planted);
    for (const each of steps) {
      await world.run(each);
      await world.expectCounted();
    }
    await world.expectHealed();
  });

async function openWorld(planted?: Planted) {
  const stage = await openQuotas();
  const { clock } = stage;
  const instances = [start(0), start(HOUR_MS), start(-HOUR_MS)];
  /** By key and day, as the documents are. */
  const used = new Map<string, number>();
  const lost = new Map<string, number>();
  let open: readonly Answer[] = [];

  return { run, expectCounted, expectHealed, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };

  function start(wrongByMs: number): Instance {
    const started = stage.instance({ limit: LIMIT, wrongByMs, remembered: 1, planted });
    started.faults.spared = [];
    return { ...started, doubtful: new Map(), fullUntil: new Map(), isLate: false };
  }

  function at(index: number): Instance {
    const found = instances[index];
    if (!found) throw new Error(`There is no instance ${index}`);
    return found;
  }

  async function run(each: Step): Promise<void> {
    switch (each.kind) {
      case 'take':
        if (each.instance === null) return await take(each.key, [...instances, ...instances]);
        return await take(each.key, Array<Instance>(each.count).fill(at(each.instance)));
      case 'take in turn':
        for (let count = 0; count < each.count; count += 1) {
          await pass(each.everyMs);
          await take(each.key, [at(each.instance)]);
        }
        return;
      case 'give back':
        for (let count = 0; count < each.count; count += 1) await giveBack(each.which + count);
        return;
      case 'lose answers':
        at(each.instance).faults.answersToLose = each.count;
        // A write is made three times.
        at(each.instance).isLate ||= each.count >= 3;
        return;
      case 'kill':
        return kill(each.instance, each.wrongByMs);
      case 'pass':
        return await pass(each.ms === 'to midnight' ? DAY_MS - (clock.time % DAY_MS) - 2 : each.ms);
    }
  }

  async function take(keyId: string, callers: readonly Instance[]): Promise<void> {
    const answers = callers.map(async (by) => {
      try {
        const answer = await by.quota.take(keyId, keyId);
        return { by, take: answer, on: on(keyId) };
      } catch {
        add(by.doubtful, on(keyId), 1);
        return null;
      }
    });
    const takes = (await driven(clock, Promise.all(answers))).filter((answer) => answer !== null);
    const granted = takes.filter((answer) => answer.take.granted);
    for (const each of granted) add(used, each.on, 1);
    open = [...open, ...granted];
    const today = takes.filter((answer) => answer.on === on(keyId));
    for (const answer of today) if (!answer.take.granted) expectFull(answer);
  }

  async function giveBack(which: number): Promise<void> {
    const chosen = open[which % Math.max(1, open.length)];
    if (!chosen) return;
    open = open.filter((other) => other !== chosen);
    const { by } = chosen;
    for (const each of instances) {
      if (each === by) each.fullUntil.delete(chosen.on);
      else if (isFull(chosen.on)) each.fullUntil.set(chosen.on, clock.time);
    }
    add(used, chosen.on, -1);
    const returning = () =>
      Promise.resolve(by.quota.giveBack(chosen.take)).catch(() => add(by.doubtful, chosen.on, 1));
    await driven(clock, Promise.all([returning(), returning()]));
  }

  function kill(index: number, wrongByMs: number): void {
    const killed = at(index);
    killed.kill();
    open = open.filter(({ by }) => by !== killed);
    for (const day of [clock.time, clock.time - DAY_MS]) {
      for (const keyId of ['k_one', 'k_two']) {
        add(lost, on(keyId, day), LARGEST_ALLOTMENT + (killed.doubtful.get(on(keyId, day)) ?? 0));
      }
    }
    instances[index] = start(wrongByMs);
  }

  async function pass(ms: number): Promise<void> {
    // More than some seconds are a jump: everybody has stood still, and may be late.
    if (ms > 3000) clock.advance(ms - 3000);
    await stage.pass(Math.min(ms, 3000));
    // Documents of the days before yesterday are removed, and so is what could be given back to them.
    open = open.filter((granted) => granted.on >= on('', clock.time - DAY_MS));
  }

  /** After each step: what was granted is counted, and no more than the limit is. */
  async function expectCounted(): Promise<void> {
    for (const keyId of ['k_one', 'k_two']) {
      const counted = await taken(on(keyId));
      expect(counted).toBeGreaterThanOrEqual(used.get(on(keyId)) ?? 0);
      expect(counted).toBeLessThanOrEqual(LIMIT);
    }
  }

  /** A request is refused only where nothing is left, or was left a moment ago. */
  function expectFull({ by, on: id }: Answer): void {
    const fullUntil = by.fullUntil.get(id) ?? Number.NEGATIVE_INFINITY;
    if (clock.time - fullUntil >= REFUSED_FOR_MS) expect(isFull(id), 'the day is full').toBe(true);
  }

  /** Whether nothing is left of a day, but what nobody can return any more. */
  function isFull(id: string): boolean {
    const doubtful = instances.reduce(
      (sum, each) => sum + (each.doubtful.get(id) ?? 0) + (each.isLate ? LARGEST_ALLOTMENT : 0),
      0,
    );
    const unspent = LIMIT - (used.get(id) ?? 0);
    return unspent <= (lost.get(id) ?? 0) + doubtful;
  }

  /** When all is well again, exactly what was not used can be granted, but what the killed held. */
  async function expectHealed(): Promise<void> {
    for (const { faults } of instances) faults.answersToLose = 0;
    // What is held of a place goes back when it has been idle for an hour.
    await stage.idle();
    for (const each of instances) {
      each.isLate = false;
      each.doubtful.clear();
    }
    for (const keyId of ['k_one', 'k_two']) {
      const counted = await taken(on(keyId));
      expect(counted - (used.get(on(keyId)) ?? 0)).toBeLessThanOrEqual(lost.get(on(keyId)) ?? 0);
      const before = used.get(on(keyId)) ?? 0;
      await take(
        keyId,
        Array.from({ length: LIMIT + 9 }, (_, index) => at(index % 3)),
      );
      expect((used.get(on(keyId)) ?? 0) - before).toBe(LIMIT - counted);
    }
  }

  async function taken(id: string): Promise<number> {
    const [day, keyId] = id.split('/');
    return await stage.taken(keyId, day);
  }

  function on(keyId: string, unixMs = clock.time): string {
    return `${new Date(unixMs).toISOString().slice(0, 10)}/${keyId}`;
  }
}

function add(to: Map<string, number>, id: string, count: number): void {
  to.set(id, (to.get(id) ?? 0) + count);
}
