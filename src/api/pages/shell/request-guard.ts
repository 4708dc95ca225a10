import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { sameDigest } from '../../../access/keys/format.ts';
import type { Form } from './form.ts';

/**
 * What keeps another site from sending our forms in a reader's name: each form carries a token that the other site cannot
 * know, and the browser says where the form was sent from. Both must be right; either would do.
 */

/** Whether the form carries the token that it was made with. */
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
