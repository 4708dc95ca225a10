import { Command } from 'commander';

import { replay as replayHistory, type Replayed } from '../../operations/replay/replay.ts';
import { counted } from '../../platform/text/format.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { commandLine } from '../../platform/text/command-line.ts';
import { withParts } from '../command.ts';
import { momentBefore } from '../options.ts';
import { note, print, printJson } from '../output.ts';
import { showSteps } from '../progress.ts';
import { presentShadow } from './shadows.ts';

interface Options {
  readonly from?: number;
  readonly until?: number;
  readonly into?: string;
  readonly fromArchive?: string;
  readonly formula?: string;
  readonly json?: boolean;
}

export function replay(): Command {
  return new Command('replay')
    .argument('<read model>', 'listings, categories or monitor')
    .option('--until <time>', 'the last moment of it (default: now)', momentBefore(systemClock))
    .option('--from <time>', 'the first moment of it (default: the beginning)', momentBefore(systemClock))
    .option('--into <name>', 'of the shadow (default: replay-1, or the next free number)')
    .option('--from-archive <dir>', 'read what "archive" has written there, in place of the log')
    .option('--formula <file>', 'a module with another score formula, for listings')
    .addHelpText('after', HELP)
    .action((name: string, { json, ...asked }: Options) =>
      withParts('replay', 'change', async ({ parts, signal }) => {
        using steps = showSteps();
        const made = await replayHistory(parts, signal, { ...asked, name, onProgress: steps.update });
        if (json) printJson(presentShadow({ ...made.shadow, id: made.id }));
        else tell(made);
      }),
    );
}

const HELP = `
A time is an RFC 3339 date-time by the log's own clock, or how long ago (30m, 12h, 7d).

Examples:
  npm run -s catalog -- replay listings --until 7d --into last-week
  npm run -s catalog -- replay listings --formula weights.ts --into weights
  npm run -s catalog -- replay listings --from-archive /backup/log --into archived

Readers see nothing of it, and nothing live is touched. "shadows" lists shadows, "diff" compares one, "drop" removes it.`;

function tell({ id, shadow: { made }, live }: Replayed): void {
  if (!made) throw new Error(`${id} is not finished`);
  if (made.is_cut) note('Not all of history is held any more: the shadow lacks what stood in the rest.');
  if (made.left_out > 0)
    note(`${counted(made.left_out, 'record')} left out: parked, discarded, or not to be decoded.`);
  print(
    `${id}: ${counted(made.documents, 'document')} of ${counted(made.records, 'record')}, digest ${made.digest.slice(0, 12)}.`,
  );
  if (live !== null) print(`Compare: ${commandLine(`diff ${live} ${id}`)}`);
}
