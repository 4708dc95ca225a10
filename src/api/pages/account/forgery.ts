import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { sameDigest } from '../../../access/keys/format.ts';

/**
 * What keeps another site from sending our forms in a reader's name: each form carries a token that the other site cannot
 * know, and the browser says where the form was sent from. Both must be right; either would do.
 */

/** The token of forms before anybody is signed in, bound to the cookie of the visit. */
export function visitToken(visit: string, secret: string): string {
  return createHmac('sha256', secret).update(`visit: ${visit}`).digest('base64url');
}

export function isSameToken(sent: string | undefined, expected: string): boolean {
  return sent !== undefined && sameDigest(sent, expected);
}

/** The address that forms must come from. */
export interface Home {
  readonly url: string;
  /** Whether the operator said so. Else it is a local one, under whichever name the reader calls this machine. */
  readonly isConfigured: boolean;
}

/**
 * Whether the browser says that the form is of our own page. Under a name that others have bent to this machine a form comes
 * from "its" origin too, but without our cookies, which belong to another name.
 */
export function comesFromUs(headers: IncomingHttpHeaders, { url, isConfigured }: Home): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  // Every browser sends it with a form.
  if (origin === undefined) return false;
  if (origin === new URL(url).origin) return true;
  return !isConfigured && host !== undefined && origin === `http://${host}`;
}
