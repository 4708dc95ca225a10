import type { Locale } from '../../texts/texts.ts';
import type { Route } from '../route.ts';
import { hasKeyInQuery, parseQuery, type QueryParameter } from './query.ts';
import { localeOf } from './read-parameters.ts';

/** What a request is for, beside its route: RFC 9112, section 3.2. */
export interface Target {
  /** The decoded parts of the path that the route names. */
  readonly path: PathParts;
  readonly sent: readonly QueryParameter[];
  readonly hasKey: boolean;
  /** Of an error. */
  readonly locale: Locale;
}

export type PathParts = Readonly<Record<string, string | undefined>>;

/** null where an encoding in it is broken. */
export function readTarget(url: string, route: Route | null, path: PathParts): Target | null {
  const sent = parseQuery(url);
  if (!sent) return null;
  const locale = localeOf(sent, route && 'lang' in route.parameters ? 'lang' : 'locale');
  return { path, sent, hasKey: hasKeyInQuery(sent), locale };
}
