import type { IncomingHttpHeaders } from 'node:http';

import type { z } from 'zod';

import type { Locale } from './messages/texts.ts';
import type { Parameters, ValuesOf } from './http/parameters.ts';
import type { Problem } from './problems.ts';
import type { Reading } from './reading/reading.ts';
import type { Deadline } from '../stores/time-limit.ts';
import type { StatusReader } from '../monitor/reading/status.ts';
import type { Rendering, Renderings } from './http/rendering.ts';
import type { Version } from '../stores/documents/port.ts';

/** What every route may use; each one declares the part that it does use. */
export interface RouteContext {
  readonly reading: Reading;
  readonly status: StatusReader;
  readonly renderings: Renderings;
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
  answer(context: RouteContext, request: RouteRequest<P>): Promise<Rendering | Problem | Redirect>;
}

/** An address of the API: one file each, and one line in routes.ts; the OpenAPI document is generated from it. */
export interface ApiRoute<P extends Parameters = Parameters> extends Route<P> {
  /** Unique, for typed clients. */
  readonly operation: Operation;
  /** Of the body of a 200. */
  readonly body: z.ZodType;
  /** Whether 404 is one of the answers. */
  readonly canBeMissing: boolean;
}

/** The answer is elsewhere: an address relative to that of the request. */
export interface Redirect {
  readonly redirect: string;
}

export type Operation =
  | 'searchListings'
  | 'getListing'
  | 'getTop'
  | 'listCategories'
  | 'getStatus'
  | 'getPublicStatus'
  | 'getOpenApi';

export interface RouteRequest<P extends Parameters = Parameters> {
  /** The key that asks; null where none is needed. */
  readonly keyId: string | null;
  readonly values: ValuesOf<P>;
  /** The decoded parts of the path that the route names. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly deadline: Deadline;
  readonly headers: IncomingHttpHeaders;
}

/** Keyed answers are for one reader, and are asked for again each time: a 304 costs nothing. */
export const KEYED_CACHE_CONTROL = 'private, no-cache';

/** Checks a route against its own parameters, and lets routes with other ones stand in the same list. */
export function route<P extends Parameters>(definition: ApiRoute<P>): ApiRoute {
  return definition;
}

/** The name of a rendering; what varies is quoted, so that no two requests share one. */
export function renderingKey(
  operation: Operation,
  locale: Locale,
  ...varying: readonly (string | number | null)[]
): string {
  return JSON.stringify([operation, locale, ...varying]);
}

/** What a rendering of these entries is made from: every write of a document makes a version of its own. */
export function versionsOf(entries: readonly { readonly version: Version }[]): readonly Version[] {
  return entries.map(({ version }) => version);
}
