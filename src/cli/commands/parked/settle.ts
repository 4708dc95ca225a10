import { Command } from 'commander';

import { REJECTED } from '../../../events/types.ts';
import { UsageError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/logger.ts';
import { parkedEvents, type ParkedFilter } from '../../../projecting/engine/parked-events.ts';
import { PARKED, type ParkedEvent } from '../../../projecting/engine/parking.ts';
import { announcingLog } from '../../../projecting/engine/announcing.ts';
import { alsoParkedIn } from '../../../projecting/builds/parked.ts';
import { everyBuild, type StandingBuild } from '../../../compose/builds.ts';
import { foldsOf } from '../../../compose/fold-sources.ts';
import { discard, redrive, type Settled } from '../../../projecting/engine/redrive.ts';
import { conflictPause, createRetry } from '../../../projecting/engine/retry.ts';
import type { Documents, Stored } from '../../../stores/documents/port.ts';
import { withParts, type Finish, type Work } from '../../command.ts';
import { note, print, printJson } from '../../output.ts';
import { number } from '../../amounts.ts';
import { showProgress } from '../../progress.ts';

type Action = 'redrive' | 'discard';
type Result = { readonly id: string } & Settled;

interface SettleOptions extends ParkedFilter {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** The commands that take events off the list of the parked ones. */
export function settleCommand(action: Action, description: string, finish: Finish): Command {
  return new Command(action)
    .description(description)
    .argument('[ids...]', 'as "parked list" shows them')
    .option('--all', 'every parked event, or every one that the options below select')
    .option('--json', 'for scripts')
    .addHelpText('after', helpOf(action))
    .action((ids: readonly string[], { all = false, json = false, ...filter }: SettleOptions) =>
      withParts('parked', 'change', async (work) => {
        if ((ids.length === 0) === !all) throw new UsageError('Give the ids of parked events, or --all.');
        if (!all && Object.values(filter).some((value) => value !== undefined))
          throw new UsageError('Options that select go together with --all, not with ids.');
        await work.parts.documents.declare(PARKED);
        const builds = await everyBuild(work.parts, await foldsOf(work.parts));
        const chosen = all
          ? await idsOf(work.parts.documents, filter)
          : await inEveryBuild(action, ids, builds, work.parts.documents);
        const results = await settleAll(action, chosen, builds, work, (result) => {
          // Of many, those that need a look.
          if (!json && (!all || result.outcome === 'still_rejected')) print(lineOf(result));
        });
        const isStopped = results.length < chosen.length;
        const counts = countsOf(results);
        if (json) printJson({ ...counts, interrupted: isStopped, results });
        else if (all) print(summaryOf(counts, results.length));
        if (isStopped)
          note(`catalog: stopped; ${number(chosen.length - results.length)} are left as they were.`);
        const hasFailed = counts.still_rejected > 0 || (!all && counts.gone > 0);
        if (isStopped || hasFailed) finish(1);
      }),
    );
}

function helpOf(action: Action): string {
  const isRedrive = action === 'redrive';
  return `
Examples:
  npm run -s catalog -- parked ${action} listings@1/catalog.entries/0/17
  npm run -s catalog -- parked ${action} --all --code ${isRedrive ? 'unknown_version' : 'not_json'}

${isRedrive ? EVERY_BUILD : ''}Exit code 1 where one ${isRedrive ? 'is still rejected, or is not there' : 'is not there'}.`;
}

const EVERY_BUILD = `An event that is named is redriven in every build of the read model that has parked it.
`;

async function idsOf(documents: Documents, filter: ParkedFilter): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const page of parkedEvents(documents, filter)) ids.push(...page.map(({ id }) => id));
  return ids;
}

/** What is redriven is redriven in every build of the read model that has parked it: else it would be lost by a cut-over. */
async function inEveryBuild(
  action: Action,
  ids: readonly string[],
  builds: readonly StandingBuild[],
  documents: Documents,
): Promise<readonly string[]> {
  if (action === 'discard') return ids;
  const stored = await documents.get<ParkedEvent>(PARKED.name, ids);
  const found = new Set(ids);
  for (const { body } of stored.values()) {
    const readModel = builds.find(({ build }) => build === body.readModel)?.readModel;
    const others = builds.filter((one) => one.readModel === readModel && one.build !== body.readModel);
    for (const id of await alsoParkedIn(
      documents,
      body,
      others.map(({ build }) => build),
    ))
      found.add(id);
  }
  return [...found];
}

async function settleAll(
  action: Action,
  ids: readonly string[],
  builds: readonly StandingBuild[],
  work: Work,
  onSettled: (result: Result) => void,
): Promise<readonly Result[]> {
  const { documents } = work.parts;
  const results: Result[] = [];
  using progress = showProgress('parked events');
  for (const id of ids) {
    if (work.signal.aborted) break;
    const stored = (await documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
    const result: Result = stored
      ? { id, ...(await settle(action, stored, builds, work)) }
      : { id, outcome: 'gone' };
    results.push(result);
    log(work.parts.logger, result);
    onSettled(result);
    progress.update(results.length, ids.length);
  }
  return results;
}

function settle(
  action: Action,
  stored: Stored<ParkedEvent>,
  builds: readonly StandingBuild[],
  { parts, signal }: Work,
): Promise<Settled> {
  const { documents, decode, clock, logger } = parts;
  if (action === 'discard') return discard(documents, stored);
  const rejectedTopic = parts.topicName(REJECTED);
  const isOn = parts.config.rejections === 'on';
  const retry = createRetry({ clock, logger, signal });
  const pause = (attempt: number): Promise<void> => clock.sleep(conflictPause(attempt, Math.random), signal);
  return redrive(stored, {
    documents,
    log: announcingLog({ log: parts.log, documents, logger, topic: rejectedTopic, isOn }),
    rejectedTopic,
    projections: builds.flatMap(({ projection }) => projection ?? []),
    isLive: (build) => builds.some((one) => one.isLive && one.build === build),
    decode,
    retry,
    pause,
    now: clock.now(),
  });
}

function log(logger: Logger, result: Result): void {
  const parked = result.id;
  switch (result.outcome) {
    case 'redriven':
      return logger.info({ parked }, 'event redriven');
    case 'discarded':
      return logger.info({ parked }, 'event discarded');
    case 'still_rejected':
      return logger.info({ parked, reason: result.reason }, 'event still refused');
    case 'gone':
      return logger.info({ parked }, 'event gone: somebody else has redriven it');
  }
}

function countsOf(results: readonly Result[]): Readonly<Record<Settled['outcome'], number>> {
  const counts = { redriven: 0, discarded: 0, still_rejected: 0, gone: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}

function lineOf(result: Result): string {
  if (result.outcome === 'gone') return `${result.id}: gone: there is no such parked event (any more)`;
  return `${result.id}: ${result.outcome}${'reason' in result ? `: ${result.reason}` : ''}`;
}

function summaryOf(counts: ReturnType<typeof countsOf>, settled: number): string {
  if (settled === 0) return 'No parked events.';
  const parts = Object.entries(counts).flatMap(([outcome, count]) =>
    count === 0 ? [] : [`${number(count)} ${outcome.replace('_', ' ')}`],
  );
  return `${parts.join(', ')}.`;
}
