import { Command } from 'commander';

import { aborted } from '../../platform/lifecycle.ts';
import type { Finish } from '../command.ts';
import { note, printLine } from '../output.ts';
import { asService } from '../service.ts';

export function serve(_finish: Finish): Command {
  return new Command('serve')
    .description('Serve the API from the documents; project nothing.')
    .option('--json', 'for scripts: one line once it serves; its log is JSON in any case')
    .addHelpText('after', '\nExample:\n  PORT=8080 npm run -s catalog -- serve')
    .action(({ json }: { json?: boolean }) =>
      asService('serve', async ({ parts, signal, life, starting, stack, adminUrl, checks }) => {
        const { serveApi } = await import('../../compose/api.ts');
        const api = stack.use(await serveApi(parts, starting.wait));
        Object.assign(checks, api.checks);
        starting.started();
        life.ready({ url: api.url, admin: adminUrl });
        if (json) printLine({ url: api.url, admin_url: adminUrl });
        note(`Serving ${api.url}. Admin: ${adminUrl}. Ctrl-C stops.`);
        await aborted(signal);
        note('Stopping: the requests in hand are answered first.');
      }),
    );
}
