import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { type Locale, LOCALES, TEXTS } from '../../texts/texts.ts';
import { languageOf } from '../../api/pages/root-redirect.ts';
import { type Assets, readAssets } from '../../api/pages/shell/assets.ts';
import { OPERATOR_POLICY } from '../../api/pages/shell/browser-policy.ts';
import { readForm } from '../../api/pages/shell/posted-form.ts';
import { pageContextAt } from '../../api/pages/shell/page-context.ts';
import { isLook, type Reply, sendAsset, sendReply } from '../../api/pages/shell/reply.ts';
import type { Parts } from '../../compose/parts.ts';
import { createOperator } from '../../operations/operator-thread/start.ts';
import type { AdminOptions } from '../probes-and-metrics.ts';
import { createAction } from './action.ts';
import { createPage } from './read-page.ts';
import { createOperatorSessions } from './sessions.ts';
import { errorView } from './error-view.ts';
import type { Role } from '../../operations/process-role.ts';
import { tokenOf, type OperatorPageParts, type OperatorVisit } from './operator-context.ts';

/** The operator page of a process. What it asks stands on `stack`, to be closed with the process. */
export function operatorPagesOf(
  { config, clock, logger }: Parts,
  role: Role,
  stack: AsyncDisposableStack,
): NonNullable<AdminOptions['operatorPages']> {
  // The database user of the account pages may read nothing of what it would ask for.
  const operator = role === 'accounts' ? null : stack.use(createOperator({ config, role }));
  return (readHealth) =>
    createOperatorPages({ role, readHealth, operator, secret: config.operatorSecret, clock, logger });
}

/**
 * The operator page: `/` leads to `/{locale}`. Looking changes nothing and needs no secret, as with `/metrics`; whatever changes
 * something is a form of ours, sent from here by somebody who has said the operator secret, and who has seen what it will do.
 */
export function createOperatorPages(parts: OperatorPageParts): RequestHandler {
  const { role, secret, clock } = parts;
  const sessions = secret === null ? null : createOperatorSessions(secret, clock);
  const read = createPage(parts);
  const act = createAction(parts, sessions);
  let assets: Assets | null = null;

  // What it throws, Express hands on.
  return answer;

  async function answer(request: Request, response: Response, next: NextFunction): Promise<void> {
    const { path } = request;
    assets ??= readAssets();
    if (isLook(request) && path === '/') {
      const Location = `/${languageOf(request.headers)}`;
      response.writeHead(302, { Location, Vary: 'Accept-Language', 'Content-Length': 0 }).end();
      return;
    }
    if (sendAsset(request, response, assets)) return;
    const locale = LOCALES.find((one) => path === `/${one}` || path.startsWith(`/${one}/`));
    if (locale === undefined) return next();
    const visit = visitOf(request, locale, assets);
    sendReply(visit, response, await replyTo(visit), OPERATOR_POLICY);
  }

  async function replyTo(visit: OperatorVisit): Promise<Reply> {
    const { request } = visit;
    if (isLook(request)) return await read(visit);
    if (request.method !== 'POST') return errorView(visit, 'forged', { status: 405 });
    // The body is read in any case, so that the answer reaches whoever sends one.
    return await act(visit, await readForm(request));
  }

  function visitOf(request: Request, locale: Locale, files: Assets): OperatorVisit {
    const path = request.path.slice(locale.length + 1);
    const [, ...queries] = request.url.split('?');
    return {
      request,
      path,
      query: new URLSearchParams(queries.join('?')),
      place: isLook(request) ? path + queryOf(request) : '',
      ...pageContextAt(request.path, {
        locale,
        publicUrl: '',
        assets: files,
        hasAccounts: false,
        isSample: false,
      }),
      texts: TEXTS[locale].operator,
      role,
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
