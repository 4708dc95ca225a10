import { Command } from 'commander';

import { startProjector } from '../compose/projector.ts';
import { serveAdmin } from '../compose/admin.ts';
import { aborted } from '../platform/lifecycle.ts';
import { acceptGapOption, checkLanes } from './accept-gap.ts';
import { withParts, type Finish } from './command.ts';
import { tellLife } from './life.ts';
import { note, printLine } from './output.ts';

export function project(_finish: Finish): Command {
  return new Command('project')
    .description('Project events into documents and the search index; serve nothing but the admin port.')
    .addOption(acceptGapOption())
    .option('--json', 'for scripts: one line once it projects; its log is JSON in any case')
    .addHelpText('after', '\nExample:\n  ADMIN_PORT=8082 npm run -s catalog -- project')
    .action(({ acceptGap, json }: { acceptGap: readonly string[]; json?: boolean }) =>
      withParts('project', 'create', async ({ parts, signal }) => {
        checkLanes(parts, acceptGap);
        using life = tellLife(parts, signal);
        await using stack = new AsyncDisposableStack();
        const projector = stack.use(await startProjector(parts, { acceptGaps: acceptGap }));
        const admin = stack.use(
          await serveAdmin(parts, {
            checks: { projector: async () => projector.health() },
            metrics: () => parts.registry.metrics(),
          }),
        );
        life.ready({ admin: admin.url });
        if (json) printLine({ admin_url: admin.url });
        note(`Projecting. Admin: ${admin.url}. Ctrl-C stops.`);
        await aborted(signal);
        note('Stopping: the batches in hand are finished first.');
      }),
    );
}
