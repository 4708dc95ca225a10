import { createAccountSite } from '../api/pages/account/standalone-site.ts';
import { listen } from '../api/http/server.ts';
import { localUrl } from '../config.ts';
import { problem } from '../findings/finding.ts';
import { healthOf, type Health } from '../findings/findings-to-readiness.ts';
import { throttle, PROBE_MS } from '../api/readiness.ts';
import { messageOf } from '../platform/errors.ts';
import { withTimeLimit } from '../stores/time-limit.ts';
import { composeAccountPages, composeKeys } from './keys-and-accounts.ts';
import type { Parts } from './parts.ts';
import type { Wait } from './retry-start-up.ts';

const CHECK_MS = 1500;

/** Serves the account pages, in a process that may write accounts, keys and sessions, as those of the API need not. */
export async function serveAccounts(parts: Parts, wait: Wait) {
  const { config, clock, logger, registry, dailyLimit } = parts;
  const keys = await wait('the keys in the documents store', () => composeKeys(parts));
  const pages = await composeAccountPages(parts, keys, wait);
  const { port, host, keepAliveMs, publicUrl, trustedProxies } = config;
  let boundPort = port;
  const site = createAccountSite({
    ...pages,
    dailyLimit,
    home: () => ({ url: publicUrl ?? localUrl(boundPort), isConfigured: publicUrl !== null }),
    clock,
    logger,
    metrics: registry,
    trustedProxies,
  });
  const listening = await listen(site, { port, host, limits: { keepAliveMs } });
  boundPort = listening.port;
  const prove = throttle(PROBE_MS, clock, () => pages.accounts.prove());
  return {
    url: listening.url,
    /** What `/readyz` asks. */
    checks: {
      async documents(): Promise<Health> {
        try {
          await withTimeLimit(prove(), CHECK_MS);
          return { ok: true, detail: 'a session can be opened' };
        } catch (thrown) {
          const reason = messageOf(thrown);
          return healthOf([problem('documents', null, { code: 'store_fails', reason })], '');
        }
      },
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
