import type { IncomingMessage, IncomingHttpHeaders } from 'node:http';
import { createHmac } from 'node:crypto';

import { sameDigest } from '../../../access/keys/key-format.ts';
import { html, type Html } from './html.ts';

/** The fields of a form that was sent, the first of each name. */
export type Form = Readonly<Record<string, string>>;

/** A form for somebody who is known. `sent` goes along unseen; the token that proves the form to be ours is always among it. */
export function postForm(
  address: string,
  sent: Readonly<Record<string, string>> & { readonly csrf: string },
  content: Html,
  style = '',
): Html {
  return html`<form method="post" action="${address}" class="${style}">
    ${Object.entries(sent).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `)}
    ${content}
  </form> `;
}

/** More than our longest form has with every character encoded. */
const MAX_BYTES = 8192;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Reads a form; null where it is none, or none of ours by its size. A body that does not end is cut off by the server. */
export async function readForm(request: IncomingMessage): Promise<Form | null> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== FORM_TYPE) return null;
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Whoever sends too much is still answered, on this very connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    // Hung up in the middle: there is nobody to answer to.
    return null;
  }
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(Buffer.concat(chunks).toString('utf8')))
    fields[name] ??= value;
  return fields;
}

/**
 * Whether the form carries the token that it was made with, which another site cannot know. So it is not sent in a reader's
 * name; where it was sent from must be right, too, though either would do.
 */
export function hasToken({ csrf }: Form, expected: string): boolean {
  return csrf !== undefined && sameDigest(csrf, expected);
}

/**
 * Whether the browser says that the form is of a page of ours. `origin`: where our pages stand; null where that is not
 * configured, and any name will do that this server is asked under: under a name that others have bent to this machine a form
 * comes from "its" origin too, but without our cookies, which belong to another name. Every browser sends `Origin` with a form.
 */
export function comesFromUs(headers: IncomingHttpHeaders, origin: string | null): boolean {
  const { origin: sent, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (sent === undefined || !URL.canParse(sent)) return false;
  return origin === null ? new URL(sent).host === host?.toLowerCase() : sent === origin;
}

/** The token of forms before anybody is signed in, bound to the cookie of the visit. */
export function visitToken(visit: string, secret: string): string {
  return createHmac('sha256', secret).update(`visit: ${visit}`).digest('base64url');
}
