import { LOCALES } from '../../messages/texts.ts';
import type { Route } from '../../route.ts';
import type { Question, Questions } from '../questions.ts';
import { readParameters } from '../read-parameters.ts';

/** A question, and its target in a text of its own: the one that was sent is a slice of a request, the key in it included. */
export interface Asked {
  readonly target: string;
  readonly question: Question;
}

/**
 * Finds the question of targets that leave nothing to be read: the text that a route's path begins with, its one named part in
 * characters that stand for themselves, and a locale or nothing. Express decodes, compares and cuts these into the same.
 */
export type FindPlain = (target: string) => Asked | null;

const PATH = /^(\/[a-z0-9/]+\/):([a-z]+)$/;
const PART = /^[a-z0-9-]+$/;
const EXAMPLE = 'a';
const QUERIES = ['', ...LOCALES.map((locale) => `?locale=${locale}`)];

/** Of those routes that may be asked at the socket; each path ends with its one named part. */
export function createFindPlain(routes: readonly Route[], questions: Pick<Questions, 'read'>): FindPlain {
  const plain = routes.flatMap((route) => {
    const [, begin, name] = (route.isDirect === true && PATH.exec(route.path)) || [];
    if (begin === undefined || name === undefined) return [];
    return [{ begin, name, byQuery: readOnce(begin + EXAMPLE, route, questions) }];
  });
  return (target) => {
    for (const { begin, name, byQuery } of plain) {
      if (!target.startsWith(begin)) continue;
      const mark = target.indexOf('?');
      const end = mark === -1 ? target.length : mark;
      const question = byQuery.get(target.slice(end));
      if (!question || !PART.test(target.slice(begin.length, end))) return null;
      const own = decodeURIComponent(target);
      return { target: own, question: { ...question, path: { [name]: own.slice(begin.length, end) } } };
    }
    return null;
  };
}

/** All that a question says but its path follows from the query. */
function readOnce(
  target: string,
  route: Route,
  questions: Pick<Questions, 'read'>,
): ReadonlyMap<string, Question> {
  const byQuery = new Map<string, Question>();
  for (const query of QUERIES) {
    const question = questions.read(target + query, route, {});
    if (question) byQuery.set(query, { ...question, read: readParameters(route.parameters, question.sent) });
  }
  return byQuery;
}
