import type { Request, Response } from 'express';

import { fields } from '../../http/response/headers.ts';
import type { Assets } from './assets.ts';
import type { PageContext } from './page-context.ts';
import type { Html } from './html.ts';

/** Answers of pages with forms: those of accounts, and those of operators. */

/** One request for such a page. */
export interface Visit<Texts> extends PageContext {
  readonly request: Request;
  readonly texts: Texts;
  /** Below the first address of these pages in this language: empty, or with a slash before it. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export type Reply = PageReply | Sent;

export interface PageReply {
  readonly status: number;
  readonly view: Html;
  readonly cookies?: readonly string[];
  /** Header fields besides: names and values in turn. */
  readonly headers?: readonly string[];
}

/** Go and look there. */
export interface Sent {
  readonly goTo: string;
  readonly cookies?: readonly string[];
}

export const HTML_TYPE = 'text/html; charset=utf-8';

/** On no such answer may anything rely later: neither a browser's cache nor a proxy's. */
const FIXED = fields({
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
});

/** Sends it, with further `headers`, and returns its status. */
export function sendReply(
  { request, locale }: Pick<Visit<unknown>, 'request' | 'locale'>,
  response: Response,
  reply: Reply,
  headers: readonly string[],
): number {
  const all = [...FIXED, ...headers];
  for (const cookie of reply.cookies ?? []) all.push('Set-Cookie', cookie);
  if ('goTo' in reply) {
    // After a form the browser is to look, and not to send it again.
    const status = request.method === 'POST' ? 303 : 302;
    response.writeHead(status, [...all, 'Location', reply.goTo, 'Content-Length', '0']).end();
    return status;
  }
  // Never compressed: the length of a packed page that repeats what was sent would tell of the tokens in it.
  const bytes = Buffer.from(String(reply.view));
  all.push(...(reply.headers ?? []), 'Content-Type', HTML_TYPE, 'Content-Language', locale);
  writeBytes(request, response, reply.status, all, bytes);
  return reply.status;
}

/** Of the files of pages, whose names hold their digests. */
export const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable';
const ASSET = fields({ 'Cache-Control': KEPT_FOR_GOOD, 'X-Content-Type-Options': 'nosniff' });

/** Sends the file that is asked for; false where it is none of the pages' files. */
export function sendAsset(request: Request, response: Response, assets: Assets): boolean {
  const [, name] = /^\/assets\/([\w.-]+)$/.exec(request.path) ?? [];
  const file = name === undefined || !isLook(request) ? undefined : assets.find(name);
  if (file === undefined) return false;
  const { bytes, contentType } = file;
  writeBytes(request, response, 200, [...ASSET, 'Content-Type', contentType], bytes);
  return true;
}

export function isLook({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

function writeBytes(
  { method }: Pick<Request, 'method'>,
  response: Response,
  status: number,
  headers: readonly string[],
  bytes: Buffer,
): void {
  response.writeHead(status, [...headers, 'Content-Length', String(bytes.length)]);
  if (method === 'HEAD') response.end();
  else response.end(bytes);
}
