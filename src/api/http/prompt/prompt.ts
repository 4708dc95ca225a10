import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Keys } from '../../../access/keys/keys.ts';
import type { Quota, Take } from '../../../access/quota/quota.ts';
import type { Tell } from '../access-log.ts';
import { conditionOf } from '../conditional.ts';
import { knownForm, textOf } from '../forms.ts';
import { fillText } from '../headers.ts';
import type { Outage } from '../outage.ts';
import type { Question, Questions } from '../questions.ts';
import { encodingFor } from '../send.ts';
import { type Asker, askerOf, createAskers } from './asker.ts';
import type { WholeRequest } from './whole-request.ts';

/**
 * Answers from memory alone what Node's parser has read before: a target that was answered a moment ago, asked for with
 * header fields whose bytes were sent before, with a key that was confirmed just now and of whose day something is held.
 * Everything else is left to the usual way (answer.ts), which finds nothing changed. What is answered here is answered as
 * there: `test/e2e/api/prompt.test.ts` compares the two.
 */
export interface Prompt {
  /** False where it cannot be answered so; then nothing was done. `ending` is what ends its head: Node's own fields. */
  answer(asked: WholeRequest, ending: string, write: WriteAnswer): boolean;
  /** Remembers what the fields say. `request` is the same, as Node has read it. */
  learn(asked: WholeRequest, request: IncomingMessage): void;
}

/** Both of one character for each byte, or a buffer. */
export type WriteAnswer = (text: string, rest: Buffer | null) => void;

export interface PromptOptions {
  readonly questions: Pick<Questions, 'known' | 'answerOf'>;
  readonly keys: Pick<Keys, 'known'>;
  readonly quota: Pick<Quota, 'takeHeld'>;
  readonly outage: Pick<Outage, 'answered'>;
  readonly tell: Tell;
  /** The bound of what is remembered of header fields, in rough bytes of memory. */
  readonly maxBytes: number;
}

export function createPrompt({ questions, keys, quota, outage, tell, maxBytes }: PromptOptions): Prompt {
  const askers = createAskers(maxBytes);

  return {
    answer({ target, fields }, ending, write) {
      const startedAt = performance.now();
      const question = questions.known(target);
      if (!question || question.hasKey || question.route?.needsKey !== true) return false;
      const asker = askers.known(fields);
      const found = asker && find(question, asker);
      if (!found) return false;
      const { rendering, form, cost, keyId, take } = found;
      outage.answered();
      const requestId = randomUUID();
      const { limit, remaining, resetS } = take;
      const head = fillText(textOf(rendering, form), requestId, { limit, remaining, resetS, cost });
      const { status, body } = form;
      const isText = typeof body === 'string';
      write(isText ? head + ending + body : head + ending, isText ? null : body);
      const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
      const route = question.route.path;
      tell({ requestId, method: 'GET', route, status, cost, durationMs, keyId, address: null });
      return true;
    },

    learn({ fields }, request) {
      const asker = askerOf(request);
      // Only with a good key: others may send whatever they like.
      if (asker && keys.known(asker.fingerprint)) askers.remember(fields, asker);
    },
  };

  /** The quota is touched last, when all else is there. */
  function find(question: Question, { fingerprint, ifNoneMatch, accepted }: Asker) {
    const rendering = questions.answerOf(question);
    if (!rendering) return null;
    const { isNotModified, isNamed } = conditionOf(ifNoneMatch, rendering.etag);
    const encoding = isNotModified ? null : encodingFor(rendering, accepted);
    const form = knownForm(rendering, question.route, isNotModified ? 304 : 200, encoding);
    const key = form && keys.known(fingerprint);
    if (!key) return null;
    const take: Take | null = quota.takeHeld(key.place, key.keyId, isNamed);
    const cost: 0 | 1 = isNamed ? 0 : 1;
    return take && { rendering, form, cost, keyId: key.keyId, take };
  }
}
