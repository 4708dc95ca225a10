import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { Keys } from '../../../access/keys/keys.ts';
import type { Quota, Take } from '../../../access/quota/quota.ts';
import type { Clock } from '../../../platform/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { createDeadline } from '../../../stores/time-limit.ts';
import type { Tell, Told } from '../access-log.ts';
import { conditionOf } from '../conditional.ts';
import { type Form, formAtOnce, headTextOf } from '../forms.ts';
import { fillText } from '../headers.ts';
import type { Outage } from '../outage.ts';
import type { Question, Questions } from '../questions.ts';
import type { Rendering } from '../rendering.ts';
import { encodingFor } from '../send.ts';
import type { Waited, WaitedRequests } from '../waited.ts';
import { type Asker, askerOf, createAskers } from './asker.ts';
import { createBadKeys } from './bad-keys.ts';
import type { WholeRequest } from './whole-request.ts';

/**
 * Answers from memory alone what Node's parser has read before: a target that was answered a moment ago, asked for with
 * header fields whose bytes were sent before, with a key that was confirmed just now. Where nothing is held of the key's day,
 * the request waits until the quota has counted it. A key that has not even the form of one is refused. Everything else is left to the usual way (answer.ts), which finds nothing changed. What is answered here is answered as
 * there: `test/e2e/api/prompt.test.ts` compares the two.
 */
export interface Prompt {
  /**
   * True where it was answered; false where it cannot be so, and then nothing was done. `ending` is what ends its head:
   * Node's own fields. A request that waits is to be ended by one of the next three.
   */
  answer(asked: WholeRequest, ending: string, write: WriteAnswer, from: Caller): boolean | Waiting;
  /** Answers what has waited. False where it cannot be answered so any more: `take` stays to be claimed. */
  answerWaiting(waiting: Waiting, take: Take, ending: string, write: WriteAnswer): boolean;
  /** What has waited is answered the usual way. `request` is the same, as Node has read it. */
  handOver(waiting: Waiting, request: IncomingMessage): void;
  /** Nobody is there any more to be answered: what became of the request is told all the same. */
  gone(waiting: Waiting): void;
  /** Remembers what the fields say. `request` is the same, as Node has read it. */
  learn(asked: WholeRequest, request: IncomingMessage): void;
}

/** Both of one character for each byte, or a buffer. */
export type WriteAnswer = (text: string, rest: Buffer | null) => void;

/** The other end of the connection. */
export type Caller = Pick<Socket, 'remoteAddress'>;

/** Everything was there but its quota. */
export interface Waiting extends Waited {
  readonly question: Question;
  readonly asker: Asker;
  /** What its answer had, when it began to wait. */
  readonly status: number;
}

export interface PromptOptions {
  readonly questions: Pick<Questions, 'known' | 'answerOf'>;
  readonly keys: Pick<Keys, 'known'>;
  readonly quota: Pick<Quota, 'limit' | 'take' | 'takeHeld'>;
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

/** An answer that is there in the form that was asked for. */
interface Ready {
  readonly rendering: Rendering;
  readonly form: Form;
  /** Whether it costs nothing. */
  readonly isFree: boolean;
}

export function createPrompt(options: PromptOptions): Prompt {
  const { questions, keys, quota, outage, tell, waited, storeLimitMs, maxBytes } = options;
  const askers = createAskers(maxBytes * (1 - SHAPES_SHARE));
  const { clock, publicUrl } = options;
  const badKeys = createBadKeys({ publicUrl, limit: quota.limit, clock, maxBytes: maxBytes * SHAPES_SHARE });

  return {
    answer({ target, fields }, ending, write, from) {
      const startedAt = performance.now();
      const question = questions.known(target);
      if (!question || question.hasKey || question.route?.needsKey !== true) return false;
      const asker = askers.known(fields);
      if (!asker) return refuse(question, fields, startedAt, { ending, write, from });
      const ready = find(question, asker);
      const key = ready && keys.known(asker.fingerprint);
      if (!key) return false;
      const { place, keyId } = key;
      // The quota is touched last, when all else is there.
      const held = quota.takeHeld(place, keyId, ready.isFree);
      if (held) {
        send({ question, ready, keyId, startedAt }, held, ending, write);
        return true;
      }
      // To be counted and given back may need the store twice.
      if (ready.isFree) return false;
      const taking = quota.take(place, keyId);
      // Refused at once, so that nothing was counted.
      if (!(taking instanceof Promise)) return false;
      const deadline = createDeadline(storeLimitMs);
      const { status } = ready.form;
      return { question, asker, place, keyId, taking, deadline, startedAt, status, isClaimed: false };
    },

    answerWaiting(waiting, take, ending, write) {
      const { question, asker } = waiting;
      // As it is by now.
      const ready = take.granted ? find(question, asker) : null;
      if (!ready || ready.isFree) return false;
      waiting.isClaimed = true;
      send({ ...waiting, ready }, take, ending, write);
      return true;
    },

    handOver(waiting, request) {
      waited.set(request, waiting);
    },

    gone(waiting) {
      waiting.isClaimed = true;
      const { taking, status } = waiting;
      void taking.then(
        ({ granted }) => tellGone(waiting, granted ? { status, cost: 1 } : { status: 429, cost: 0 }),
        (thrown: unknown) => {
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
    to.write(head + to.ending + body, null);
    const address = to.from.remoteAddress ?? null;
    const durationMs = since(startedAt);
    const path = route?.path ?? null;
    tell({ requestId, method: 'GET', route: path, status, cost: 0, durationMs, keyId: null, address });
    return true;
  }

  function find(question: Question, { ifNoneMatch, accepted }: Asker): Ready | null {
    const rendering = questions.answerOf(question);
    if (!rendering) return null;
    const { isNotModified, isNamed } = conditionOf(ifNoneMatch, rendering.etag);
    const encoding = isNotModified ? null : encodingFor(rendering, accepted);
    const form = formAtOnce(rendering, question.route, isNotModified ? 304 : 200, encoding);
    return form && { rendering, form, isFree: isNamed };
  }

  function send(asked: Sent, { limit, remaining, resetS }: Take, ending: string, write: WriteAnswer): void {
    const { question, ready, keyId, startedAt } = asked;
    const { rendering, form, isFree } = ready;
    const cost = isFree ? 0 : 1;
    outage.answered();
    const requestId = randomUUID();
    const head = fillText(headTextOf(rendering, form), requestId, { limit, remaining, resetS, cost });
    const { status, body } = form;
    const isText = typeof body === 'string';
    write(isText ? head + ending + body : head + ending, isText ? null : body);
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

/** What is sent, and to whom. */
interface Sent {
  readonly question: Question;
  readonly ready: Ready;
  readonly keyId: string;
  readonly startedAt: number;
}

function since(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 1000) / 1000;
}
