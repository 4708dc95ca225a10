import type { IncomingHttpHeaders } from 'node:http';

import type { StatusReader } from '../monitor/reading/status-reader.ts';
import type { SampleSign } from '../stores/sample-sign.ts';
import type { Deadline } from '../stores/time-limit.ts';
import type { Parameters, ValuesOf } from './http/parameters.ts';
import type { QueryParameter } from './http/query-string.ts';
import type { Representation } from './http/response/representation.ts';
import type { ResponseCache } from './http/response/response-cache.ts';
import type { Problem } from './problems.ts';
import type { CatalogReader } from './reading/catalog-reader.ts';

/** What every route may use; each one declares the part that it does use. */
export interface RouteContext {
  readonly reading: CatalogReader;
  readonly status: StatusReader;
  readonly sample: SampleSign;
  readonly responses: ResponseCache;
  /** Absolute links begin with it. */
  readonly publicUrl: string;
}

/** An address, as a plain value: what may be asked there, and how it is answered. */
export interface Route<P extends Parameters = Parameters> {
  /** From the host on, as Express writes it: `/api/v1/listings/:slug`. */
  readonly path: string;
  /** Without a key, nothing is counted either. */
  readonly needsKey: boolean;
  readonly parameters: P;
  /** Whether the query is passed over unread; elsewhere an unknown parameter is refused. */
  readonly ignoresQuery?: boolean;
  /**
   * Whether it is answered without any store, by a deadline that it keeps by itself; a known key also while requests
   * cannot be counted.
   */
  readonly outlivesStores?: boolean;
  readonly cacheControl: string;
  /** Header fields that say what a browser may do with the body, where it is a page and not data. */
  readonly policy?: readonly string[];
  /** What people see in the place of the error object; its bytes are sent with the problem's status. */
  problemPage?(problem: Problem, asked: RefusedAddress): Representation;
  answer(context: RouteContext, request: RouteRequest<P>): Promise<Representation | Problem | Redirect>;
}

/** The answer is elsewhere: an address relative to that of the request. */
export interface Redirect {
  readonly redirect: string;
  /** The request header that it depends on. */
  readonly vary?: string;
}

/** Where a page was refused. */
interface RefusedAddress {
  /** As it was sent: path and query. */
  readonly target: string;
  readonly publicUrl: string;
}

/** The decoded parts of a path, by the names that the route has for them. */
export type PathParts = Readonly<Record<string, string | undefined>>;

/** Whoever sends a request. */
export interface Caller {
  /** The key that asks; null where none is needed. */
  readonly keyId: string | null;
  readonly headers: IncomingHttpHeaders;
  /** That of the connection, or the one that a trusted proxy tells. */
  address(): string;
}

export interface RouteRequest<P extends Parameters = Parameters> extends Caller {
  readonly values: ValuesOf<P>;
  readonly path: PathParts;
  readonly deadline: Deadline;
  /** The query as it was sent: for routes that pass over what they do not know. */
  readonly sent: readonly QueryParameter[];
}

export function route<P extends Parameters>(definition: Route<P>): Route {
  return definition;
}

/** Without a key, and without parameters: a query is passed over unread. */
export const OPEN = { needsKey: false, parameters: {}, ignoresQuery: true } as const;
