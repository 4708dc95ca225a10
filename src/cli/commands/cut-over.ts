import { Command } from 'commander';

import { switchTo } from '../../operations/cut-over.ts';
import { commandLine } from '../../platform/text/command-line.ts';
import type { Parts } from '../../compose/parts.ts';
import { isOlderBuild } from '../../stores/builds.ts';
import { withParts } from '../command.ts';
import { readDuration } from '../options.ts';
import { note, print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';

interface Options {
  readonly to?: string;
  readonly wait?: string;
  readonly json?: boolean;
}

export function cutOver(): Command {
  return switching('cut-over', CUT_OVER_HELP).option(
    '--to <build>',
    'as "versions" names it; the newest one without it',
  );
}

export function rollback(): Command {
  return switching('rollback', ROLLBACK_HELP);
}

function switching(command: 'cut-over' | 'rollback', help: string): Command {
  return new Command(command)
    .argument('<read model>', 'listings, categories or monitor')
    .option(
      '--wait <duration>',
      'try again for so long (5m) where it cannot be done yet, and say what it waits for',
    )
    .addHelpText('after', help)
    .action((name: string, options: Options) =>
      withParts(command, 'change', ({ parts, signal }) =>
        run(parts, signal, name, { ...options, isRollback: command === 'rollback' }),
      ),
    );
}

const CUT_OVER_HELP = `
Examples:
  npm run -s catalog -- cut-over listings
  npm run -s catalog -- cut-over listings --to listings@2-b2
  npm run -s catalog -- cut-over listings --wait 5m

The build has to have caught up with the log. It is compared with the log first, where nobody has done so; then the lanes
keep quiet for a moment, and one write makes it live, with its search index. Readers never see a mix of both. The build that
was live is kept up to date: "rollback" goes back to it as quickly. A build that is live already stays so, and the exit code is 0.`;

const ROLLBACK_HELP = `
Examples:
  npm run -s catalog -- rollback listings
  npm run -s catalog -- rollback listings --wait 5m

Readers then see today's state as the earlier release made it. It only goes to an older build. No build cuts over by itself afterwards, until somebody runs
"cut-over". Said again, it changes nothing, and the exit code is 0.`;

/** Nobody waits for longer than this for one command, in days. */
const LONGEST_WAIT_DAYS = 1;

async function run(
  parts: Parts,
  signal: AbortSignal,
  name: string,
  { to, wait, json, isRollback }: Options & { readonly isRollback: boolean },
): Promise<void> {
  const ms = wait === undefined ? null : readDuration('--wait', wait, LONGEST_WAIT_DAYS);
  using progress = showProgress('records compared');
  const { from, live } = await switchTo(parts, signal, {
    name,
    to,
    isRollback,
    onProgress: (done, total) => progress.update(done, total),
    ...(ms !== null && { wait: { ms, onRefusal: tellOnce() } }),
  });
  if (json) return printJson({ read_model: name, from, live });
  if (from === null) {
    print(`${live} is live already.`);
    return;
  }
  print(`${live} is live.`);
  const back = isOlderBuild(from, live) ? `rollback ${name}` : `cut-over ${name} --to ${from}`;
  note(`${from} is kept up to date: "${commandLine(back)}" goes back to it.`);
}

/** What it waits for, each time that this is something else. */
function tellOnce(): (reason: string) => void {
  let said = '';
  return (reason) => {
    if (reason !== said) note(`${reason} It is tried again.`);
    said = reason;
  };
}
