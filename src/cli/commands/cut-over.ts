import { Command } from 'commander';

import { switchTo } from '../../operating/switching.ts';
import { counted } from '../../platform/amounts.ts';
import { commandLine } from '../../platform/command-line.ts';
import type { Parts } from '../../compose/parts.ts';
import { withParts, type Finish } from '../command.ts';
import { note, print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';

interface Options {
  readonly to?: string;
  readonly json?: boolean;
}

export function cutOver(_finish: Finish): Command {
  return new Command('cut-over')
    .argument('<read model>', 'listings, categories or monitor')
    .option('--to <build>', 'as "versions" names it; the newest one without it')
    .option('--json', 'for scripts')
    .addHelpText('after', CUT_OVER_HELP)
    .action((name: string, options: Options) =>
      withParts('cut-over', 'change', ({ parts, signal }) =>
        run(parts, signal, name, { ...options, isRollback: false }),
      ),
    );
}

const CUT_OVER_HELP = `
Examples:
  npm run -s catalog -- cut-over listings
  npm run -s catalog -- cut-over listings --to listings@2-b2

The build has to have caught up with the log. It is compared with the log first, where nobody has done so; then the lanes
keep quiet for a moment, and one write makes it live, with its search index. Readers never see a mix of both. The build that
was live is kept up to date: "rollback" goes back to it as quickly.`;

export function rollback(_finish: Finish): Command {
  return new Command('rollback')
    .argument('<read model>', 'listings, categories or monitor')
    .option('--json', 'for scripts')
    .addHelpText('after', ROLLBACK_HELP)
    .action((name: string, options: Options) =>
      withParts('rollback', 'change', ({ parts, signal }) =>
        run(parts, signal, name, { ...options, isRollback: true }),
      ),
    );
}

const ROLLBACK_HELP = `
Example:
  npm run -s catalog -- rollback listings

Readers then see today's state as the earlier release made it. No build cuts over by itself afterwards, until somebody runs
"cut-over".`;

async function run(
  parts: Parts,
  signal: AbortSignal,
  name: string,
  { to, json, isRollback }: Options & { readonly isRollback: boolean },
): Promise<void> {
  using progress = showProgress('records compared');
  const { from, live, announced } = await switchTo(parts, signal, {
    name,
    to,
    isRollback,
    onProgress: (done, total) => progress.update(done, total),
  });
  if (json) return printJson({ read_model: name, from, live, announced });
  print(`${live} is live.`);
  if (announced === null)
    note('The log cannot be reached now: a projector tells upstream of what the new build has refused.');
  else if (announced > 0)
    note(
      `It has refused ${counted(announced, 'event')} that ${from} had taken: "${commandLine('parked list')}".`,
    );
  note(`${from} is kept up to date: "${commandLine(`rollback ${name}`)}" goes back to it.`);
}
