import type { z } from 'zod';

import type { Version } from '../stores/documents/port.ts';
import type { Parameters } from './http/parameters.ts';
import type { Locale, Texts } from '../texts/texts.ts';
import type { Route } from './route.ts';

type OpenApiTexts = Texts['api']['openApi'];

/**
 * An address of the API with its whole contract: one file in routes/, and one line in routes.ts. The OpenAPI document
 * and the pages are made from it.
 */
export interface ApiRoute<P extends Parameters = Parameters> extends Route<P> {
  /** Unique, for typed clients. */
  readonly operation: string;
  /** What it is for. */
  readonly texts: Readonly<Record<Locale, { readonly summary: string; readonly description: string }>>;
  /** The group that it stands in; the addresses of the reference have it too. */
  readonly tag: keyof OpenApiTexts['tags'];
  /** The parts of the path that it names, with their texts. */
  readonly inPath?: Readonly<Record<string, z.ZodType>>;
  /** Of the body of a 200. What its fields mean stands in texts/{ru,en}/api.json, under the name of each schema; of a field of several, at the field. */
  readonly body: z.ZodType;
  /** Such a body, made by the code that makes the answers. */
  readonly example: (locale: Locale) => object;
  /** Whether 404 is one of the answers. */
  readonly canBeMissing?: boolean;
  /** What a 200 carries beside a tag and the headers of every response. `changed` is there once anything was checked. */
  readonly carries?: 'links of pages' | 'updated' | 'changed';
  readonly link?: RouteLink;
}

/** What can be asked next with something that an answer holds. */
interface RouteLink {
  readonly name: keyof OpenApiTexts['links'];
  readonly operation: ApiRoute['operation'];
  /** By name; runtime expressions of OpenAPI 3.1, section 4.8.20.3. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** What the addresses of the API begin with. */
export const BASE = '/api/v1';

/** Keyed answers are for one reader, and are asked for again each time: a 304 costs nothing. */
export const KEYED = { needsKey: true, cacheControl: 'private, no-cache' } as const;

/** Checks a route against its own parameters, and lets routes with other ones stand in the same list. */
export function apiRoute<P extends Parameters>(definition: ApiRoute<P>): ApiRoute {
  return definition;
}

/** The name of a response; what varies is quoted, so that no two requests share one. */
export function responseKey(
  operation: string,
  locale: Locale,
  ...varying: readonly (string | number | null)[]
): string {
  return JSON.stringify([operation, locale, ...varying]);
}

/** What a response about these entries is made from: every write of a document makes a version of its own. */
export function versionsOf(entries: readonly { readonly version: Version }[]): readonly Version[] {
  return entries.map(({ version }) => version);
}
