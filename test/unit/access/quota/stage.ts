import { IDLE_MS } from '../../../../src/access/quota/allotment.ts';
import type { QuotaDay } from '../../../../src/access/quota/quota-day-document.ts';
import { createQuota, type Quota, type QuotaResult } from '../../../../src/access/quota/quota.ts';
import type { Clock } from '../../../../src/platform/time/clock.ts';
import { driven, faulty, morningClock, openFile, passing, type Faults } from '../fixture.ts';
import { storedIn } from '../../../support/documents.ts';
import type { Planted } from './planted.ts';

/** A place, and the id of the key that sits in it. */
export const KEY = 'k_0123456789';

export interface QuotaInstance {
  readonly quota: Quota;
  readonly faults: Faults;
  readonly life: { wrongByMs: number };
  /** It does nothing any more, and cannot reach the store. */
  kill(): void;
}

interface InstanceOptions {
  readonly limit?: number;
  readonly wrongByMs?: number;
  readonly remembered?: number;
  readonly planted?: Planted | undefined;
}

/** Instances of the quota on one store, whose connections fail as told, with one clock for all. */
export async function openQuotas() {
  const file = openFile();
  const clock = morningClock();
  const store = file.client();
  const quotas = new Set<Quota>();
  const { quota, faults } = instance();
  await quota.declare();

  /** One more process on the same store. Its own clock may be wrong. */
  function instance(options: InstanceOptions = {}): QuotaInstance {
    const { limit = 1000, wrongByMs = 0, remembered = 100_000, planted = (same) => same } = options;
    const { documents, faults: itsFaults } = faulty(file.client(clock));
    const life = { wrongByMs, isKilled: false };
    const local: Clock = {
      now: () => clock.time + life.wrongByMs,
      monotonic: () => clock.monotonic(),
      sleep: (ms, signal) => (life.isKilled ? new Promise(() => undefined) : clock.sleep(ms, signal)),
    };
    const made = createQuota({ documents: planted(documents), clock: local, limit, remembered });
    quotas.add(made);
    const kill = (): void => {
      life.isKilled = true;
      itsFaults.down = true;
      quotas.delete(made);
    };
    return { quota: made, faults: itsFaults, life, kill };
  }

  return {
    clock,
    file,
    /** The first instance, and what goes wrong between it and the store. */
    quota,
    faults,
    instance,

    takeMany: (from: Quota, count: number, key = KEY) =>
      driven(clock, Promise.all(Array.from({ length: count }, async () => await from.take(key, key)))),

    /** One after another, a millisecond apart. */
    takeInTurn: async (from: Quota, count: number, key = KEY) => {
      const takes: QuotaResult[] = [];
      while (takes.length < count) {
        clock.advance(1);
        takes.push(await driven(clock, from.take(key, key)));
      }
      return takes;
    },

    /** What the store counts as taken of a day: granted, or held unspent by somebody. */
    taken: async (key = KEY, day = '2026-11-20') => {
      const found = await store.get<QuotaDay>('quota', [`${day}/${key}`]);
      const shares = Object.values(found.get(`${day}/${key}`)?.body.shares ?? {});
      return shares.reduce((sum, share) => sum + share, 0);
    },

    pass: (ms = 2000) => passing(clock, ms),

    /** Lets so much time pass that everybody has returned what they do not use. */
    idle: async () => {
      clock.advance(IDLE_MS);
      await passing(clock, 2000);
    },

    /** The ids of the documents that there are. */
    storedDays: async () => (await storedIn(store, 'quota')).map(({ id }) => id),

    async [Symbol.asyncDispose]() {
      for (const each of quotas) await driven(clock, each[Symbol.asyncDispose]());
      await file[Symbol.asyncDispose]();
    },
  };
}

export function grantedOf(takes: readonly QuotaResult[]): readonly QuotaResult[] {
  return takes.filter(({ granted }) => granted);
}
