import { Command } from 'commander';

import { asService, runUntilStopped } from '../../service.ts';

export function serveAccountPages(): Command {
  return new Command('serve')
    .description('Serve the account pages alone, beside "serve", with a database user of their own.')
    .option('--json', 'for scripts: one line once it serves; its log is JSON in any case')
    .addHelpText('after', '\nExample:\n  PORT=8090 npm run -s catalog -- accounts serve')
    .action(({ json }: { json?: boolean }) =>
      asService('accounts', async (service) => {
        const { serveAccounts } = await import('../../../compose/accounts.ts');
        const { url, checks } = service.stack.use(await serveAccounts(service.parts, service.starting.wait));
        Object.assign(service.checks, checks);
        const words = { doing: `Serving accounts at ${url}`, last: 'the requests in hand are answered' };
        await runUntilStopped(service, { url, json, ...words });
      }),
    );
}
