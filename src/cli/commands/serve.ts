import { command } from '../command.ts';
import { asService, runUntilStopped } from '../service.ts';

export const serve = command({
  run: ({ json }) =>
    asService('serve', async (service) => {
      const { serveApi } = await import('../../compose/api.ts');
      const { withoutAccounts } = await import('../../compose/read-only-accounts.ts');
      const { parts, starting, stack } = service;
      const at = parts.config.accounts === 'on' ? 'elsewhere' : 'nowhere';
      const { url, checks } = stack.use(await serveApi(withoutAccounts(parts), starting.wait, at));
      Object.assign(service.checks, checks);
      const words = { doing: `Serving ${url}`, last: 'the requests in hand are answered' };
      await runUntilStopped(service, { url, json, ...words });
    }),
});
