import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { LARGEST_ALLOTMENT } from '../../../../src/access/quota/allotment.ts';
import { createRandom, integer, oneOf } from '../../../../src/sample/random.ts';
import { driven } from '../fixture.ts';
import { openQuotas } from './stage.ts';

/** Four instances, with clocks apart by 2 s, under requests to three places; the day ends in the middle. */

const LIMIT = 1000;
const CLOCKS = [0, 2000, -2000, 1000];
const PLACES = ['acme/1', 'acme/2', 'another/1'] as const;
const DAYS = ['2026-11-20', '2026-11-21'];
const MIDNIGHT = Date.parse(`${DAYS[1]}T00:00:00Z`);
const HALF_MS = 50_000;
const EVERY_MS = 500;
/** Requests that are made at once. */
const AT_ONCE = 24;
/** Now and then so many come to one instance, for one place after another. */
const BURST = 300;
const BURST_RATE = 0.2;
const KILLED_EVERY_MS = 5000;

test.each(['one', 'two', 'three'])(
  'with one of 4 instances killed every 5 s, what is granted of a day and what the killed held is the whole day (seed %s)',
  async (seed) => {
    await using stage = await openQuotas();
    const { clock, instance, pass, taken, idle } = stage;
    const random = createRandom(seed);
    const instances = CLOCKS.map((wrongByMs) => start(wrongByMs));
    /** By place and day. */
    const granted = new Map<string, number>();
    const refusedAt = new Map<string, number>();
    /** What the killed may have held, and what nobody was told of. */
    const lost = new Map<string, number>();
    let bursts = 0;

    clock.time = MIDNIGHT - HALF_MS;
    while (clock.time < MIDNIGHT + HALF_MS) {
      const isKilling = clock.time % KILLED_EVERY_MS === 0;
      const answers = Array.from({ length: AT_ONCE }, () => ask(anyInstance(), oneOf(random, PLACES)));
      if (random.uniform() < BURST_RATE) {
        const [index, place] = [anyInstance(), PLACES[(bursts += 1) % PLACES.length] ?? PLACES[0]];
        for (let more = 0; more < BURST; more += 1) answers.push(ask(index, place));
      }
      if (isKilling) {
        for (let turns = integer(random, 0, 8); turns > 0; turns -= 1) await setImmediate();
        kill(anyInstance());
      }
      await driven(clock, Promise.all(answers));
      await pass(EVERY_MS - (clock.time % EVERY_MS));
    }
    await idle();

    for (const day of DAYS) {
      for (const place of PLACES) {
        const of = `${day}/${place}`;
        const missing = LIMIT - (granted.get(of) ?? 0);
        expect(refusedAt.has(of), `${of} was asked for more than it has`).toBe(true);
        expect(missing, of).toBeGreaterThanOrEqual(0);
        expect(missing, of).toBeLessThanOrEqual(lost.get(of) ?? 0);
        expect(await taken(place, day), of).toBe(LIMIT);
      }
    }

    function anyInstance(): number {
      return integer(random, 0, CLOCKS.length - 1);
    }

    function start(wrongByMs: number) {
      return { ...instance({ wrongByMs }), wrongByMs, died: Promise.withResolvers<null>() };
    }

    async function ask(index: number, place: string): Promise<void> {
      const asked = clock.time;
      const { quota, died } = at(index);
      const take = await Promise.race([quota.take(place, 'k_1'), died.promise]);
      if (take === null) return count(lost, `${DAYS[clock.time < MIDNIGHT ? 0 : 1]}/${place}`, 1);
      const of = `${DAYS[take.resetS * 1000 > HALF_MS ? 1 : 0]}/${place}`;
      if (!take.granted) return void refusedAt.set(of, Math.min(clock.time, refusedAt.get(of) ?? Infinity));
      // Whoever asks after somebody was refused is refused, too.
      expect(asked, of).toBeLessThanOrEqual(refusedAt.get(of) ?? Infinity);
      count(granted, of, 1);
    }

    function at(index: number) {
      const found = instances[index];
      if (!found) throw new Error(`There is no instance ${index}`);
      return found;
    }

    function kill(index: number): void {
      const killed = at(index);
      killed.kill();
      killed.died.resolve(null);
      const day = DAYS[clock.time < MIDNIGHT ? 0 : 1];
      for (const place of PLACES) count(lost, `${day}/${place}`, LARGEST_ALLOTMENT);
      instances[index] = start(killed.wrongByMs);
    }
  },
);

function count(to: Map<string, number>, of: string, by: number): void {
  to.set(of, (to.get(of) ?? 0) + by);
}
