import type { Problem } from '../problems.ts';
import type { Redirect, Route, RouteContext, RouteRequest } from '../route.ts';
import { after, type Soon } from '../../platform/soon.ts';
import type { Question, Questions } from './questions.ts';
import { readParameters } from './read-parameters.ts';
import type { Rendering } from './rendering.ts';

/** What a route is told of a request, beside its question. */
export type AskedBy = Pick<RouteRequest, 'keyId' | 'deadline' | 'headers' | 'address'>;

/**
 * What a route answers to a question, which is remembered for a moment under its target. At once where what the route reads
 * is fresh. Throws, or rejects with, what it throws.
 */
export type AskRoute = (
  target: string,
  question: Question,
  route: Route,
  by: AskedBy,
) => Soon<Rendering | Problem | Redirect>;

export function createAskRoute(
  context: RouteContext,
  questions: Pick<Questions, 'moment' | 'keep'>,
): AskRoute {
  return (target, question, route, { keyId, deadline, headers, address }) => {
    const { sent, path } = question;
    const read = (question.read ??= readParameters(route.parameters, route.ignoresQuery ? [] : sent));
    if (read.problem !== undefined) return read;
    const asked = { keyId, values: read.values, path, deadline, headers, sent, address };
    const since = questions.moment();
    return after(route.answer(context, asked), (outcome) => {
      if ('bytes' in outcome && route.isRemembered !== false)
        questions.keep(target, question, outcome, since);
      return outcome;
    });
  };
}
