import { IDLE_MS } from '../../../../src/access/quota/allotment.ts';
import type { QuotaDay } from '../../../../src/access/quota/counter.ts';
import { createQuota, type Quota, type QuotaResult } from '../../../../src/access/quota/quota.ts';
import type { Clock } from '../../../../src/platform/time/clock.ts';
import { driven, faulty, morningClock, openFile, passing, type Faults } from '../fixture.ts';
import { storedIn } from '../../../support/documents.ts';
import type { TestClock } from '../../../support/test-clock.ts';
import type { Planted } from './planted.ts';

/** A place, and the id of the key that sits in it. */
export const KEY = 'k_0123456789';

/** Instances of the quota on one store, whose connections fail as told, with one clock for all. */
export interface QuotaStage extends AsyncDisposable {
  readonly clock: TestClock;
  readonly file: ReturnType<typeof openFile>;
  /** The first instance, and what goes wrong between it and the store. */
  readonly quota: Quota;
  readonly faults: Faults;
  /** One more process on the same store. Its own clock may be wrong. */
  readonly instance: (options?: {
    readonly limit?: number;
    readonly wrongByMs?: number;
    readonly remembered?: number;
    readonly planted?: Planted | undefined;
  }) => QuotaInstance;
  readonly takeMany: (from: Quota, count: number, key?: string) => Promise<readonly QuotaResult[]>;
  /** One after another, a millisecond apart. */
  readonly takeInTurn: (from: Quota, count: number, key?: string) => Promise<readonly QuotaResult[]>;
  /** What the store counts as taken of a day: granted, or held unspent by somebody. */
  readonly taken: (key?: string, day?: string) => Promise<number>;
  /** Lets time pass, 2 s where not said. */
  readonly pass: (ms?: number) => Promise<void>;
  /** Lets so much time pass that everybody has returned what they do not use. */
  readonly idle: () => Promise<void>;
  /** The ids of the documents that there are. */
  readonly storedDays: () => Promise<readonly string[]>;
}

export interface QuotaInstance {
  readonly quota: Quota;
  readonly faults: Faults;
  readonly life: { wrongByMs: number };
  /** It does nothing any more, and cannot reach the store. */
  kill(): void;
}

export async function openQuotas(): Promise<QuotaStage> {
  const file = openFile();
  const clock = morningClock();
  const store = file.client();
  const quotas = new Set<Quota>();
  const { quota, faults } = instance();
  await quota.declare();

  function instance(options: Parameters<QuotaStage['instance']>[0] = {}): QuotaInstance {
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
    quota,
    faults,
    instance,

    takeMany: (from, count, key = KEY) =>
      driven(clock, Promise.all(Array.from({ length: count }, async () => await from.take(key, key)))),

    async takeInTurn(from, count, key = KEY) {
      const takes: QuotaResult[] = [];
      while (takes.length < count) {
        clock.advance(1);
        takes.push(await driven(clock, from.take(key, key)));
      }
      return takes;
    },

    async taken(key = KEY, day = '2026-11-20') {
      const found = await store.get<QuotaDay>('quota', [`${day}/${key}`]);
      const shares = Object.values(found.get(`${day}/${key}`)?.body.shares ?? {});
      return shares.reduce((sum, share) => sum + share, 0);
    },

    pass: (ms = 2000) => passing(clock, ms),

    async idle() {
      clock.advance(IDLE_MS);
      await passing(clock, 2000);
    },

    async storedDays() {
      return (await storedIn(store, 'quota')).map(({ id }) => id);
    },

    async [Symbol.asyncDispose]() {
      for (const each of quotas) await driven(clock, each[Symbol.asyncDispose]());
      await file[Symbol.asyncDispose]();
    },
  };
}

export function grantedOf(takes: readonly QuotaResult[]): readonly QuotaResult[] {
  return takes.filter(({ granted }) => granted);
}
