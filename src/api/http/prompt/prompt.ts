import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { Keys } from '../../../access/keys/keys.ts';
import type { Quota, Take } from '../../../access/quota/quota.ts';
import type { Clock } from '../../../platform/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { after, type Soon } from '../../../platform/soon.ts';
import { createDeadline } from '../../../stores/time-limit.ts';
import { PROBLEMS } from '../../problems.ts';
import type { Tell, Told } from '../access-log.ts';
import type { Access } from '../access.ts';
import { conditionOf } from '../conditional.ts';
import { makeEarly } from '../early.ts';
import { formAtOnce, headTextOf } from '../forms.ts';
import { fillText } from '../headers.ts';
import type { Outage } from '../outage.ts';
import type { Question, Questions } from '../questions.ts';
import { encodingFor } from '../send.ts';
import type { Waited, WaitedRequests } from '../waited.ts';
import { type Asker, askerOf, createAskers } from './asker.ts';
import { createBadKeys } from './bad-keys.ts';
import type { AskedAt, Direct, Made, Ready } from './direct.ts';
import type { Asked } from './plain-targets.ts';
import type { WholeRequest } from './whole-request.ts';

/**
 * Answers what Node's parser has read before: header fields whose bytes were sent before, with a key that was confirmed just
 * now, and a target that was answered a moment ago, or whose route is certain (direct.ts). Where nothing is held of the key's
 * day, or the route has to read, the request waits for it. A key that has not even the form of one is refused. Everything
 * else is left to the usual way (answer.ts), which finds nothing changed. What is answered here is answered as there:
 * `test/e2e/api/prompt.test.ts` compares the two.
 */
export interface Prompt {
  /**
   * True where it was answered; false where it cannot be so, and then nothing was done. `ending` is what ends its head:
   * Node's own fields. A request that waits is to be ended by one of the next three.
   */
  answer(asked: WholeRequest, ending: string, write: WriteAnswer, from: Caller): boolean | Waiting;
  /** Answers what has waited. False where it cannot be answered so: what was taken for it stays to be claimed. */
  answerWaiting(waiting: Waiting, settled: Settled, ending: string, write: WriteAnswer): boolean;
  /** What has waited is answered the usual way. `request` is the same, as Node has read it. */
  handOver(waiting: Waiting, request: IncomingMessage): void;
  /** Nobody is there any more to be answered: what became of the request is told all the same. */
  gone(waiting: Waiting): void;
  /** Remembers what the fields say. `request` is the same, as Node has read it. */
  learn(asked: WholeRequest, request: IncomingMessage): void;
}

/** A text, and what it is written in; the rest of it, where that is bytes. */
export type WriteAnswer = (text: string, rest: Buffer | null, charset: 'latin1' | 'utf8') => void;

/** The other end of the connection. */
export type Caller = Pick<Socket, 'remoteAddress'>;

/** Everything was there but its quota, or its answer. */
export interface Waiting extends Waited {
  readonly question: Question;
  /** Rejects with what a store, or the route, has thrown. */
  readonly awaited: Promise<Settled>;
}

/** What a request has waited for. */
export interface Settled {
  readonly take: Take;
  /** Of its answer, whoever gives it. */
  readonly status: number;
  /** null where it cannot be answered here. */
  readonly ready: Ready | null;
}

export interface PromptOptions {
  readonly questions: Pick<Questions, 'known' | 'answerOf' | 'moment' | 'isFresh'>;
  readonly direct: Direct;
  readonly access: Pick<Access, 'drop'>;
  readonly keys: Pick<Keys, 'known'>;
  readonly quota: Pick<Quota, 'limit' | 'take' | 'takeHeld' | 'hasRoom'>;
  readonly outage: Outage;
  readonly tell: Tell;
  readonly waited: WaitedRequests;
  readonly clock: Pick<Clock, 'now'>;
  readonly publicUrl: () => string;
  /** How long a request waits for stores, in milliseconds. */
  readonly storeLimitMs: number;
  /** The bound of what is remembered of header fields, in rough bytes of memory. */
  readonly maxBytes: number;
}

/** Answers nothing. */
export const NO_PROMPT: Prompt = {
  answer: () => false,
  answerWaiting: () => false,
  handOver: () => undefined,
  gone: () => undefined,
  learn: () => undefined,
};

export function createPrompt(options: PromptOptions): Prompt {
  const { questions, direct, access, keys, quota, outage, tell, waited, storeLimitMs, maxBytes } = options;
  const askers = createAskers(maxBytes * (1 - SHAPES_SHARE));
  const { clock, publicUrl } = options;
  const badKeys = createBadKeys({ publicUrl, limit: quota.limit, clock, maxBytes: maxBytes * SHAPES_SHARE });

  return {
    answer({ target, fields }, ending, write, from) {
      const startedAt = performance.now();
      const asked = askedBy(target);
      if (!asked) return false;
      const { question } = asked;
      if (question.hasKey || question.route?.needsKey !== true) return false;
      const asker = askers.known(fields);
      if (!asker) return refuse(question, fields, startedAt, { ending, write, from });
      const ready = find(question, asker);
      if (!ready && !direct.mayAsk(question, asker)) return false;
      const key = keys.known(asker.fingerprint);
      if (!key) return false;
      const { place, keyId } = key;
      // The quota is touched last, when all else is there or known to be asked for.
      const held = quota.takeHeld(place, keyId, ready?.isFree ?? false);
      if (held && ready) {
        send({ question, keyId, startedAt }, ready, held, { ending, write });
        return true;
      }
      // To be counted and given back may need the store twice.
      if (ready?.isFree) return false;
      const taking = held ?? quota.take(place, keyId);
      // Refused at once, so that nothing was counted.
      if (!held && !(taking instanceof Promise)) return false;
      const deadline = createDeadline(storeLimitMs);
      const begun = { question, place, keyId, taking, deadline, startedAt, isClaimed: false };
      const awaited = ready
        ? after(taking, (take) => stillReady(question, asker, take, ready))
        : askWith(asked, { asker, keyId, deadline }, taking, place);
      if (!(awaited instanceof Promise) && awaited.ready) {
        send(begun, awaited.ready, awaited.take, { ending, write });
        return true;
      }
      return { ...begun, awaited: Promise.resolve(awaited) };
    },

    answerWaiting(waiting, { take, ready }, ending, write) {
      if (!ready) return false;
      waiting.isClaimed = true;
      send(waiting, ready, take, { ending, write });
      return true;
    },

    handOver(waiting, request) {
      waited.set(request, waiting);
    },

    gone(waiting) {
      waiting.awaited.then(
        ({ take, status }) => {
          waiting.isClaimed = true;
          tellGone(waiting, { status, cost: take.granted ? 1 : 0 });
        },
        (thrown: unknown) => {
          access.drop(waiting);
          const isOfStore = thrown instanceof RetryableError || thrown instanceof PermanentError;
          if (isOfStore) outage.failed(thrown);
          tellGone(waiting, { status: isOfStore ? 503 : 500, cost: 0, reason: messageOf(thrown) });
        },
      );
    },

    learn({ fields }, request) {
      const asker = askerOf(request);
      // Only with a good key: others may send whatever they like.
      if (!asker || !keys.known(asker.fingerprint)) return;
      askers.remember(fields, asker);
      badKeys.learn(fields, String(request.headers['x-api-key']));
    },
  };

  /** Where its key is one that nobody can have been given. */
  function refuse(question: Question, fields: string, startedAt: number, to: Outlet): boolean {
    const { route, locale } = question;
    if (route?.problemPage || !badKeys.isBad(fields)) return false;
    const { requestId, status, head, body } = badKeys.refusal(locale);
    to.write(head + to.ending + body, null, 'latin1');
    const address = to.from.remoteAddress ?? null;
    const durationMs = since(startedAt);
    const path = route?.path ?? null;
    tell({ requestId, method: 'GET', route: path, status, cost: 0, durationMs, keyId: null, address });
    return true;
  }

  function askedBy(target: string): Asked | null {
    const question = questions.known(target);
    // Its target is kept already.
    return question ? { target, question } : direct.find(target);
  }

  function find(question: Question, { ifNoneMatch, accepted }: Asker): Ready | null {
    const rendering = questions.answerOf(question);
    if (!rendering) return null;
    const { isNotModified, isNamed } = conditionOf(ifNoneMatch, rendering.etag);
    const encoding = isNotModified ? null : encodingFor(rendering, accepted);
    const form = formAtOnce(rendering, question.route, isNotModified ? 304 : 200, encoding);
    return form && { rendering, form, isFree: isNamed };
  }

  /** As it is when its quota is granted. */
  function stillReady(question: Question, asker: Asker, take: Take, before: Ready): Settled {
    if (!take.granted) return refused(take);
    const ready = find(question, asker);
    const { status } = (ready ?? before).form;
    return { take, status, ready: ready?.isFree === true ? null : ready };
  }

  /** Asks the route, once the quota is granted or while the request is being counted. */
  function askWith(asked: Asked, by: AskedAt, taking: Soon<Take>, place: string): Soon<Settled> {
    const ask = (): Soon<Made> => direct.ask(asked, by);
    const isAhead = taking instanceof Promise && quota.hasRoom(place);
    const made = isAhead ? makeEarly(questions, ask) : ask;
    return after(taking, (take) => {
      if (!take.granted) return refused(take);
      try {
        return after(made(), ({ status, ready }) => ({ take, status, ready }));
      } catch (thrown) {
        return Promise.reject(thrown);
      }
    });
  }

  function send(
    { question, keyId, startedAt }: Sent,
    ready: Ready,
    take: Take,
    to: Pick<Outlet, 'ending' | 'write'>,
  ): void {
    const { rendering, form, isFree } = ready;
    const { limit, remaining, resetS } = take;
    const cost = isFree ? 0 : 1;
    outage.answered();
    const requestId = randomUUID();
    const head = fillText(headTextOf(rendering, form), requestId, { limit, remaining, resetS, cost });
    const { status, body, charset } = form;
    const isText = typeof body === 'string';
    to.write(isText ? head + to.ending + body : head + to.ending, isText ? null : body, charset);
    const route = question.route?.path ?? null;
    const durationMs = since(startedAt);
    tell({ requestId, method: 'GET', route, status, cost, durationMs, keyId, address: null });
  }

  function tellGone(
    { question, keyId, startedAt }: Waiting,
    told: Pick<Told, 'status' | 'cost' | 'reason'>,
  ): void {
    const route = question.route?.path ?? null;
    const durationMs = since(startedAt);
    tell({
      requestId: randomUUID(),
      method: 'GET',
      route,
      ...told,
      durationMs,
      keyId,
      address: null,
      aborted: true,
    });
  }
}

/** Of what is remembered of header fields: their shapes are few and small. */
const SHAPES_SHARE = 1 / 8;

/** Where an answer is sent. */
interface Outlet {
  readonly ending: string;
  readonly write: WriteAnswer;
  readonly from: Caller;
}

/** Whose answer is sent. */
interface Sent {
  readonly question: Question;
  readonly keyId: string;
  readonly startedAt: number;
}

function refused(take: Take): Settled {
  return { take, status: PROBLEMS.used_up.status, ready: null };
}

function since(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1000;
}
