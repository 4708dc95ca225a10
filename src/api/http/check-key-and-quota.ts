import { setTimeout as sleep } from 'node:timers/promises';

import type { Keys } from '../../access/keys/keys.ts';
import type { Quota, QuotaResult } from '../../access/quota/quota.ts';
import { messageOf, RetryableError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Deadline, withTimeLimit } from '../../stores/time-limit.ts';
import { problem, type Problem } from '../problems.ts';
import { hasKeyInQuery, type QueryParameter } from './query-string.ts';

/** The key that asks, and whether its quota of the day still has a request; why not, where the store that counts fails. */
export interface Admitted {
  readonly keyId: string;
  readonly take: QuotaTake | RetryableError;
}

/** What the quota said of a request at this place. */
export type QuotaTake = QuotaResult & { readonly place: string };

export type Access = ReturnType<typeof createAccess>;

export interface AccessOptions {
  readonly keys: Pick<Keys, 'check'>;
  readonly quota: Pick<Quota, 'take' | 'giveBack'>;
  readonly logger: Logger;
}

/** How long a request that finds its day full waits for others in hand, between two attempts, in milliseconds. */
const AGAIN_MS = 25;

/** How long an answer waits for its request to be given back after its deadline, in milliseconds. */
const GRACE_MS = 100;

export function createAccess({ keys, quota, logger }: AccessOptions) {
  /** By place, how many requests were granted and are not answered yet: each may still be given back. */
  const inHand = new Map<string, number>();

  return {
    /** @throws {RetryableError} where the store that knows the key is down or too slow. */
    async admit(
      header: string | undefined,
      sent: readonly QueryParameter[],
      deadline: Deadline,
    ): Promise<Admitted | Problem> {
      // HTTP has stripped the outer blanks. Two headers come joined with a comma, which no key holds.
      if (header === undefined || header === '')
        return problem(hasKeyInQuery(sent) ? 'key_in_query' : 'no_key');
      const checked = await deadline.within(keys.check(header));
      if (checked.outcome === 'refused') return problem('bad_key');
      const { keyId, place } = checked;
      const taking = takeLast(place, keyId, deadline);
      try {
        return { keyId, take: await deadline.within(taking) };
      } catch (thrown) {
        void giveBackLate(taking);
        if (thrown instanceof RetryableError) return { keyId, take: thrown };
        throw thrown;
      }
    },

    /** To be told of each request that was granted, once it is known what it costs; of those that are given back, by `giveBack`. */
    answered,

    /**
     * Takes a request off the count again; the rest of the day's quota. Never throws: what fails is logged. Waits a moment
     * for the store even after the deadline.
     */
    async giveBack(take: QuotaTake, deadline: Deadline): Promise<number> {
      try {
        return await withTimeLimit(quota.giveBack(take), Math.max(GRACE_MS, deadline.leftMs()));
      } catch (thrown) {
        // The response is settled by now; the counter keeps what it owes until the key's next request.
        logger.warn({ err: thrown }, 'a request could not be given back yet');
        return take.remaining;
      } finally {
        answered(take);
      }
    },
  };

  /** Nobody is refused for requests that cost nothing in the end: while some are in hand, it is tried again, in its time. */
  async function takeLast(place: string, keyId: string, deadline: Deadline): Promise<QuotaTake> {
    for (;;) {
      const take = await quota.take(place, keyId);
      const others = inHand.get(place) ?? 0;
      if (take.granted) inHand.set(place, others + 1);
      if (take.granted || others === 0 || deadline.leftMs() < 2 * AGAIN_MS) return { ...take, place };
      await sleep(AGAIN_MS);
    }
  }

  function answered({ place }: QuotaTake): void {
    const others = (inHand.get(place) ?? 1) - 1;
    if (others > 0) inHand.set(place, others);
    else inHand.delete(place);
  }

  /** A request that is counted after its caller was told 503 costs nothing. */
  async function giveBackLate(taking: Promise<QuotaTake>): Promise<void> {
    try {
      const take = await taking;
      if (!take.granted) return;
      await quota.giveBack(take).finally(() => answered(take));
    } catch (thrown) {
      logger.warn({ reason: messageOf(thrown) }, 'a late request could not be counted or given back');
    }
  }
}
