import { Command } from 'commander';

import { startProjector } from '../../compose/projector.ts';
import { acceptGapOption, checkLanes } from '../options.ts';
import { asService, runUntilStopped } from '../service.ts';

export function project(): Command {
  return new Command('project')
    .addOption(acceptGapOption())
    .option('--json', 'for scripts: one line once it projects; its log is JSON in any case')
    .addHelpText('after', '\nExample:\n  ADMIN_PORT=8082 npm run -s catalog -- project')
    .action(({ acceptGap: acceptGaps, json }: { acceptGap: readonly string[]; json?: boolean }) =>
      asService(
        'project',
        async (service) => {
          const { parts, signal, starting, stack, checks } = service;
          const projector = stack.use(
            await startProjector(parts, { acceptGaps, wait: starting.wait, signal }),
          );
          checks['projector'] = () => projector.health();
          const words = { doing: 'Projecting', last: 'the batches in hand are finished' };
          await runUntilStopped(service, { json, ...words });
        },
        (parts) => checkLanes(parts, acceptGaps),
      ),
    );
}
