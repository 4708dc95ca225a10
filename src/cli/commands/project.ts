import { Command } from 'commander';

import { startProjector } from '../../compose/projector.ts';
import { aborted } from '../../platform/lifecycle.ts';
import { acceptGapOption, checkLanes } from '../accept-gap.ts';
import type { Finish } from '../command.ts';
import { note, printLine } from '../output.ts';
import { asService } from '../service.ts';

export function project(_finish: Finish): Command {
  return new Command('project')
    .description('Project events into documents and the search index; serve nothing but the admin port.')
    .addOption(acceptGapOption())
    .option('--json', 'for scripts: one line once it projects; its log is JSON in any case')
    .addHelpText('after', '\nExample:\n  ADMIN_PORT=8082 npm run -s catalog -- project')
    .action(({ acceptGap, json }: { acceptGap: readonly string[]; json?: boolean }) =>
      asService(
        'project',
        async ({ parts, signal, life, starting, stack, adminUrl, checks }) => {
          const { wait } = starting;
          const projector = stack.use(await startProjector(parts, { acceptGaps: acceptGap, wait, signal }));
          checks['projector'] = () => projector.health();
          starting.started();
          life.ready({ admin: adminUrl });
          if (json) printLine({ admin_url: adminUrl });
          note(`Projecting. Admin: ${adminUrl}. Ctrl-C stops.`);
          await aborted(signal);
          note('Stopping: the batches in hand are finished first.');
        },
        (parts) => checkLanes(parts, acceptGap),
      ),
    );
}
