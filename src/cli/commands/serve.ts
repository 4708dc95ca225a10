import { Command } from 'commander';

import { asService, runUntilStopped } from '../service.ts';

export function serve(): Command {
  return new Command('serve')
    .option('--json', 'for scripts: one line once it serves; its log is JSON in any case')
    .addHelpText('after', '\nExample:\n  PORT=8080 npm run -s catalog -- serve')
    .action(({ json }: { json?: boolean }) =>
      asService('serve', async (service) => {
        const { serveApi } = await import('../../compose/api.ts');
        const { withoutAccounts } = await import('../../compose/read-only.ts');
        const at = service.config.accounts === 'on' ? 'elsewhere' : 'nowhere';
        const { parts, starting, stack } = service;
        const { url, checks } = stack.use(await serveApi(withoutAccounts(parts), starting.wait, at));
        Object.assign(service.checks, checks);
        const words = { doing: `Serving ${url}`, last: 'the requests in hand are answered' };
        await runUntilStopped(service, { url, json, ...words });
      }),
    );
}
