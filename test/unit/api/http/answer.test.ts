import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import { expect, test } from 'vitest';

import type { Admission } from '../../../../src/api/http/access.ts';
import { createAnswer, type ExchangeParts } from '../../../../src/api/http/answer.ts';
import type { Exchange, Outcome } from '../../../../src/api/http/exchange.ts';
import { createQuestions } from '../../../../src/api/http/questions.ts';
import { renderJson } from '../../../../src/api/http/rendering.ts';
import type { Route } from '../../../../src/api/route.ts';
import { systemClock } from '../../../../src/platform/clock.ts';

/** What a request is given that is still being counted while what is kept for it grows too old. */

const KEPT_MS = 250;
const TARGET = '/api/v1/listings/durov';
const ROUTE = { path: TARGET, needsKey: true, parameters: {} } as unknown as Route;
const TAKE = { granted: true, remaining: 999, resetS: 60, limit: 1000 };

test('an answer that is kept is not given for longer than it is kept, however long its request is counted', async () => {
  let now = 0;
  const questions = createQuestions({
    clock: { monotonic: () => now },
    keptMs: KEPT_MS,
    changes: () => 0,
    maxBytes: 1e6,
  });
  const question = questions.read(TARGET, ROUTE, {});
  if (!question) throw new Error('the target is sound');
  questions.keep(TARGET, question, renderJson({ as: 'it was' }, 'en'), { at: 0, changes: 0 });

  const counted = Promise.withResolvers<Admission>();
  const sent = Promise.withResolvers<Outcome>();
  const answer = createAnswer({
    context: { publicUrl: 'http://127.0.0.1' },
    access: {
      admit(_header: unknown, _sent: unknown, _deadline: unknown, _waited: unknown, meanwhile: Meanwhile) {
        meanwhile('a-key');
        return counted.promise;
      },
      drop: () => undefined,
    },
    askRoute: () => renderJson({ as: 'it is' }, 'en'),
    questions: { ...questions, known: () => question },
    send(_exchange: Exchange, outcome: Outcome) {
      sent.resolve(outcome);
      return 200;
    },
    tell: () => undefined,
    outage: { answered: () => undefined, failed: () => undefined },
    waited: new WeakMap(),
    clock: systemClock,
    limit: 1000,
    storeLimitMs: 2000,
  } as unknown as ExchangeParts);

  now = KEPT_MS - 1;
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'GET', url: TARGET, httpVersion: '1.1' });
  request.rawHeaders = ['Host', '127.0.0.1', 'X-API-Key', 'a key'];
  expect(answer.known(request, new ServerResponse(request))).toBe(true);
  now = KEPT_MS + 1;
  counted.resolve({ outcome: 'counted', keyId: 'a-key', take: TAKE } as unknown as Admission);

  expect(await sent.promise).toMatchObject({ text: '{"as":"it is"}' });
});

type Meanwhile = (keyId: string) => void;
