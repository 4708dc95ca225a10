import { Command } from 'commander';

import { settleParked, type SettleAction, type SettledAll } from '../../../operations/settle-parked.ts';
import { number } from '../../../platform/text/format.ts';
import { UsageError } from '../../../platform/errors.ts';
import type { ParkedFilter } from '../../../projecting/engine/parked-events.ts';
import { withParts, type Finish } from '../../command.ts';
import { note, print, printJson } from '../../output.ts';
import { showProgress } from '../../progress.ts';

interface SettleOptions extends ParkedFilter {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** The commands that take events off the list of the parked ones. */
export function settleCommand(action: SettleAction, description: string, finish: Finish): Command {
  return new Command(action)
    .description(description)
    .argument('[ids...]', 'as "parked list" shows them')
    .option('--all', 'every parked event, or every one that the options below select')
    .addHelpText('after', helpOf(action))
    .action((ids: readonly string[], { all = false, json = false, ...filter }: SettleOptions) =>
      withParts('parked', 'change', async ({ parts, signal }) => {
        if ((ids.length === 0) === !all) throw new UsageError('Give the ids of parked events, or --all.');
        if (!all && Object.values(filter).some((value) => value !== undefined))
          throw new UsageError('Options that select go together with --all, not with ids.');
        const settled = await settleAll();
        const { chosen, results, counts } = settled;
        const isStopped = results.length < chosen;
        if (json) printJson({ ...counts, interrupted: isStopped, results });
        else if (all) print(summaryOf(settled));
        if (isStopped) note(`catalog: stopped; ${number(chosen - results.length)} are left as they were.`);
        const hasFailed = counts.still_rejected > 0 || (!all && counts.gone > 0);
        if (isStopped || hasFailed) finish(1);

        async function settleAll(): Promise<SettledAll> {
          using progress = showProgress('parked events');
          return await settleParked(parts, signal, {
            action,
            of: all ? { filter } : { ids },
            onSettled: (result, done, total) => {
              // Of many, those that need a look.
              if (!json && (!all || result.outcome === 'still_rejected')) print(lineOf(result));
              progress.update(done, total);
            },
          });
        }
      }),
    );
}

function helpOf(action: SettleAction): string {
  const isRedrive = action === 'redrive';
  return `
Examples:
  npm run -s catalog -- parked ${action} listings@1/catalog.entries/0/17
  npm run -s catalog -- parked ${action} --all --code ${isRedrive ? 'unknown_version' : 'not_json'}

${isRedrive ? EVERY_BUILD : ''}Exit code 1 where one ${isRedrive ? 'is still rejected, or is not there' : 'is not there'}.`;
}

const EVERY_BUILD = `However it is selected, an event is redriven in every build of its read model. A command that was stopped midway is
finished by the next one that selects the event, or by the next cut-over.
`;

function lineOf(result: SettledAll['results'][number]): string {
  if (result.outcome === 'gone') return `${result.id}: gone: there is no such parked event (any more)`;
  return `${result.id}: ${result.outcome}${'reason' in result ? `: ${result.reason}` : ''}`;
}

function summaryOf({ counts, results }: SettledAll): string {
  if (results.length === 0) return 'No parked events.';
  const parts = Object.entries(counts).flatMap(([outcome, count]) =>
    count === 0 ? [] : [`${number(count)} ${outcome.replace('_', ' ')}`],
  );
  return `${parts.join(', ')}.`;
}
