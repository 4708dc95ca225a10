import { Command } from 'commander';

import { serveApi } from '../compose/api.ts';
import { serveAdmin } from '../compose/admin.ts';
import { aborted } from '../platform/lifecycle.ts';
import { withParts, type Finish } from './command.ts';
import { tellLife } from './life.ts';
import { note, printLine } from './output.ts';

export function serve(_finish: Finish): Command {
  return new Command('serve')
    .description('Serve the API from the documents; project nothing.')
    .option('--json', 'for scripts: one line once it serves; its log is JSON in any case')
    .addHelpText('after', '\nExample:\n  PORT=8080 npm run -s catalog -- serve')
    .action(({ json }: { json?: boolean }) =>
      withParts('serve', 'create', async ({ parts, signal }) => {
        using life = tellLife(parts, signal);
        await using stack = new AsyncDisposableStack();
        const api = stack.use(await serveApi(parts));
        const admin = stack.use(
          await serveAdmin(parts, {
            checks: { documents: api.check },
            metrics: () => parts.registry.metrics(),
          }),
        );
        life.ready({ url: api.url, admin: admin.url });
        if (json) printLine({ url: api.url, admin_url: admin.url });
        note(`Serving ${api.url}. Admin: ${admin.url}. Ctrl-C stops.`);
        await aborted(signal);
        note('Stopping: the requests in hand are answered first.');
      }),
    );
}
