import type { Request, Response } from 'express';

import { OPERATOR_POLICY } from '../../api/pages/shell/browser-policy.ts';
import type { Shown, Visit } from './visit.ts';

export function send(
  request: Request,
  response: Response,
  { locale }: Visit,
  { status, view, headers = [] }: Shown,
): void {
  const all = [...OPERATOR_POLICY, ...headers, 'Content-Language', locale];
  for (let at = 0; at < all.length; at += 2) response.setHeader(String(all[at]), String(all[at + 1]));
  response.status(status).type('text/html; charset=utf-8');
  if (request.method === 'HEAD') response.end();
  else response.end(String(view));
}
