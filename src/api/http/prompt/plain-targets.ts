import type { Route } from '../../route.ts';
import type { PathParts } from '../questions.ts';

/** What a target asks for, found without Express. */
export interface PlainTarget {
  /** A copy: the target itself is a slice of a request, the key in it included. */
  readonly target: string;
  readonly route: Route;
  readonly path: PathParts;
}

/**
 * Finds the route of targets that leave nothing to be read: the text that a route's path begins with, its one named part in
 * characters that stand for themselves, and a locale or nothing. Express decodes, compares and cuts these into the same.
 */
export type FindPlain = (target: string) => PlainTarget | null;

const PATH = /^(\/[a-z0-9/]+\/):([a-z]+)$/;
const REST = /^([a-z0-9-]+)(?:\?locale=[a-z]+)?$/;

/** Of those routes that may be asked at the socket; each path ends with its one named part. */
export function createFindPlain(routes: readonly Route[]): FindPlain {
  const asked = routes.flatMap((route) => {
    const [, begin, name] = (route.isDirect === true && PATH.exec(route.path)) || [];
    return begin === undefined || name === undefined ? [] : [{ route, begin, name }];
  });
  return (target) => {
    for (const { route, begin, name } of asked) {
      if (!target.startsWith(begin)) continue;
      const [rest, part] = REST.exec(target.slice(begin.length)) ?? [];
      if (rest === undefined || part === undefined) continue;
      const own = decodeURIComponent(target);
      return { target: own, route, path: { [name]: own.slice(begin.length, begin.length + part.length) } };
    }
    return null;
  };
}
