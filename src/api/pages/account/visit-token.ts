import { createHmac } from 'node:crypto';

/** The token of forms before anybody is signed in, bound to the cookie of the visit. */
export function visitToken(visit: string, secret: string): string {
  return createHmac('sha256', secret).update(`visit: ${visit}`).digest('base64url');
}
