import type { RequestListener } from 'node:http';

import type { Request, Response } from 'express';

import type { Registry } from '../../../platform/metrics-registry.ts';
import type { Api } from '../../app.ts';
import { createAccessLog } from '../../http/access-log.ts';
import { bareExpress } from '../../http/bare-express.ts';
import { createRefusals } from '../../http/refusal-response-text.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../texts/texts.ts';
import { readAssets } from '../shell/assets.ts';
import { sendAsset } from '../shell/reply.ts';
import { createAccountPages } from './answer-account-request.ts';
import type { AccountParts } from './account-context.ts';

/** The account pages alone, and the files that they load: for a process of their own. */
interface AccountSiteOptions extends Pick<
  AccountParts,
  'accounts' | 'keys' | 'formSecret' | 'oidc' | 'dailyLimit' | 'home' | 'clock' | 'logger'
> {
  readonly metrics: Registry;
  readonly trustedProxies: readonly string[];
}

export function createAccountSite(options: AccountSiteOptions): Api {
  const { clock, logger, dailyLimit, home } = options;
  const app = bareExpress(options.trustedProxies);
  const accessLog = createAccessLog(logger, options.metrics, clock);
  const assets = readAssets();
  const account = createAccountPages({ ...options, assets, record: accessLog.record });

  app.use((request: Request, response: Response) => {
    if (sendAsset(request, response, assets)) return;
    // Whatever else is asked for is refused by a page, too.
    const locale = LOCALES.find((one) => request.path.startsWith(`/${one}/`)) ?? DEFAULT_LOCALE;
    account(request, response, locale);
  });

  const handle: RequestListener = (request, response) => app(request as Request, response as Response);
  const refusals = createRefusals(() => home().url, dailyLimit, clock);
  return { handle, refusals, accessLog };
}
