import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { LOCALES, type Locale } from '../../api/messages/texts.ts';
import { languageOf } from '../../api/pages/front.ts';
import { type Assets, readAssets } from '../../api/pages/shell/assets.ts';
import { frameAt } from '../../api/pages/shell/frame.ts';
import { createChange } from './changing.ts';
import { createLook } from './looking.ts';
import { send } from './sending.ts';
import { createOperatorSessions } from './sessions.ts';
import { OPERATOR_TEXTS } from './texts.ts';
import { troubleView } from './trouble.ts';
import { tokenOf, type OperatorPartsGiven, type Visit } from './visit.ts';

/**
 * The operator page: `/` leads to `/{locale}`. Looking changes nothing and needs no secret, as with `/metrics`; whatever changes
 * something is a form of ours, sent from here by somebody who has said the operator secret, and who has seen what it will do.
 */
export function createOperatorPages(parts: OperatorPartsGiven): RequestHandler {
  const { standing, secret, clock } = parts;
  const sessions = secret === null ? null : createOperatorSessions(secret, clock);
  const look = createLook(parts);
  const change = createChange(parts, sessions);
  let assets: Assets | null = null;

  // What it throws, Express hands on.
  return answer;

  async function answer(request: Request, response: Response, next: NextFunction): Promise<void> {
    const { path, method } = request;
    const isLook = method === 'GET' || method === 'HEAD';
    assets ??= readAssets();
    if (isLook && path === '/') {
      const Location = `/${languageOf(request.headers)}`;
      response.writeHead(302, { Location, Vary: 'Accept-Language', 'Content-Length': 0 }).end();
      return;
    }
    const file = path.startsWith('/assets/') ? assets.find(path.slice('/assets/'.length)) : undefined;
    if (isLook && file) {
      response.set({
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Type': file.contentType,
      });
      response.end(method === 'HEAD' ? undefined : file.bytes);
      return;
    }
    const locale = LOCALES.find((one) => path === `/${one}` || path.startsWith(`/${one}/`));
    if (locale === undefined) return next();
    const place = path.slice(locale.length + 1);
    const visit = visitOf(request, locale, isLook ? place + queryOf(request) : '', assets);
    if (isLook) return send(request, response, visit, await look(request, visit, place));
    if (method !== 'POST') return send(request, response, visit, troubleView(visit, 'method'));
    await change(request, response, visit, place);
  }

  function visitOf(request: Request, locale: Locale, place: string, files: Assets): Visit {
    return {
      locale,
      place,
      frame: frameAt(request.path, {
        locale,
        publicUrl: '',
        assets: files,
        hasAccounts: false,
        isSample: false,
      }),
      texts: OPERATOR_TEXTS[locale],
      standing,
      hasSecret: secret !== null,
      session: sessions?.find(tokenOf(request)) ?? null,
    };
  }
}

/** Longer than the query of any link of ours. */
const LONGEST_QUERY = 1024;

/** With its question mark; empty where there is none, and where somebody has made it up: links of the page repeat it. */
function queryOf({ url }: Request): string {
  const at = url.indexOf('?');
  return at < 0 || url.length - at > LONGEST_QUERY ? '' : url.slice(at);
}
