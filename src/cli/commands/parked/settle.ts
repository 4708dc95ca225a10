import { settleParked, type SettleAction, type SettlementReport } from '../../../operations/settle-parked.ts';
import { UsageError } from '../../../platform/errors.ts';
import { number } from '../../../texts/plain.ts';
import { commandOf } from '../../command.ts';
import { argument, flag } from '../../options.ts';
import { note, print, printJson } from '../../output.ts';
import { showProgress } from '../../progress.ts';
import { SELECTING } from './list.ts';

const EVERY_BUILD = `However it is selected, an event is redriven in every build of its read model. A command that was stopped midway is
finished by the next one that selects the event, or by the next cut-over.
`;

/** The commands that take events off the list of the parked ones. */
export const redrive = settle('redrive');
export const discard = settle('discard');

function settle(action: SettleAction) {
  return commandOf('change', {
    takes: {
      ids: argument('[ids...]', 'as "parked list" shows them'),
      all: flag('every parked event, or every one that the options below select'),
      ...SELECTING,
    },
    help: helpOf(action),
    run: async ({ parts, signal }, { ids, all = false, json = false, ...filter }) => {
      if ((ids.length === 0) === !all) throw new UsageError('Give the ids of parked events, or --all.');
      if (!all && Object.keys(filter).length > 0)
        throw new UsageError('Options that select go together with --all, not with ids.');
      using progress = showProgress();
      const settled = await settleParked(parts, signal, {
        action,
        of: all ? { filter } : { ids },
        onSettled: (result, done, total) => {
          // Of many, those that need a look.
          if (!json && (!all || result.outcome === 'still_rejected')) print(lineOf(result));
          progress.update('parked events', done, total);
        },
      });
      progress[Symbol.dispose]();
      const { chosen, results, counts } = settled;
      const isStopped = results.length < chosen;
      if (json) printJson({ ...counts, interrupted: isStopped, results });
      else if (all) print(summaryOf(settled));
      if (isStopped) note(`catalog: stopped; ${number(chosen - results.length)} are left as they were.`);
      const hasFailed = counts.still_rejected > 0 || (!all && counts.gone > 0);
      return isStopped || hasFailed ? 1 : 0;
    },
  });
}

function helpOf(action: SettleAction): string {
  const isRedrive = action === 'redrive';
  return `
Examples:
  npm run -s catalog -- parked ${action} listings@1/catalog.entries/0/17
  npm run -s catalog -- parked ${action} --all --code ${isRedrive ? 'unknown_version' : 'not_json'}

${isRedrive ? EVERY_BUILD : ''}Exit code 1 where one ${isRedrive ? 'is still rejected, or is not there' : 'is not there'}.`;
}

function lineOf(result: SettlementReport['results'][number]): string {
  if (result.outcome === 'gone') return `${result.id}: gone: there is no such parked event (any more)`;
  return `${result.id}: ${result.outcome}${'reason' in result ? `: ${result.reason}` : ''}`;
}

function summaryOf({ counts, results }: SettlementReport): string {
  if (results.length === 0) return 'No parked events.';
  const parts = Object.entries(counts).flatMap(([outcome, count]) =>
    count === 0 ? [] : [`${number(count)} ${outcome.replace('_', ' ')}`],
  );
  return `${parts.join(', ')}.`;
}
