import { Command } from 'commander';

import { asLanes, everyBuild, type StandingBuild } from '../../compose/builds.ts';
import { foldsOf } from '../../compose/fold-sources.ts';
import type { Parts } from '../../compose/parts.ts';
import { messageOf, PermanentError, RetryableError, UsageError } from '../../platform/errors.ts';
import { indexOf, searched, type Projection } from '../../projecting/engine/projection.ts';
import { verifySearch, type SearchVerification } from '../../projecting/inspect/search-verify.ts';
import { verifyProjection, type Verification } from '../../projecting/inspect/verify.ts';
import { commandLine } from '../../platform/command-line.ts';
import { laneName } from '../../projecting/engine/lane.ts';
import { readOwners } from '../../projecting/inspect/heartbeat.ts';
import { readProgress, waitsForTransaction } from '../../projecting/inspect/progress.ts';
import { withParts, type Finish } from '../command.ts';
import { counted, number } from '../../platform/amounts.ts';
import { print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';

export function verify(finish: Finish): Command {
  return new Command('verify')
    .description(
      'Fold the log again and compare the result with every document, byte for byte, and the search index with the documents.',
    )
    .option('--build <build>', 'one build alone, as "versions" names it')
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s catalog -- verify\n  npm run -s catalog -- verify --build listings@2\n\nIt may run beside a working service. It says which records no lane has consumed yet; these are not compared. Exit code 1\nwhere something differs (each document is named), and where a lane that is behind has halted or has no live projector.',
    )
    .action(({ build, json }: { build?: string; json?: boolean }) =>
      withParts('verify', 'read', async ({ parts, signal }) => {
        const { log, documents, topicName, decode } = parts;
        const builds = chosenOf(await everyBuild(parts, await foldsOf(parts)), build);
        const projections = builds.flatMap(({ projection }) => projection ?? []);
        const unfolded = builds.filter(({ projection }) => projection === null);
        const results: Verification[] = [];
        for (const projection of projections) {
          using progress = showProgress('records folded');
          results.push(
            await verifyProjection(projection, {
              log,
              documents,
              projections,
              topicName,
              decode,
              signal,
              onProgress: (done, total) => progress.update(done, total),
            }),
          );
        }
        const indexes: IndexVerification[] = [];
        for (const projection of searched(projections)) {
          indexes.push(await verifyIndex(projection, parts, signal));
        }
        const uncompared = await readUncompared(parts, builds);
        // What only a build waits for that readers do not see is no fault, unless it was asked for.
        const counts = new Set(
          builds.filter(({ isLive }) => isLive || build !== undefined).map((one) => one.build),
        );
        const isWrong = (lane: Uncompared): boolean => counts.has(lane.build) && isStuck(lane);
        const ok =
          [...results, ...indexes].every((result) => result.ok) &&
          !uncompared.some(isWrong) &&
          !unfolded.some((one) => counts.has(one.build));
        if (json)
          printJson({
            ok,
            read_models: results.map(report),
            search: indexes,
            not_compared: uncompared.map(({ build: _build, ...lane }) => lane),
            without_fold: unfolded.map((one) => one.build),
          });
        else {
          for (const result of results) printVerification(result);
          for (const index of indexes) printIndex(index);
          for (const one of unfolded)
            print(
              `${one.build}  not compared: this release does not have its fold; run "verify" of the one that has it`,
            );
          printUncompared(uncompared);
        }
        if (!ok) finish(1);
      }),
    );
}

function chosenOf(builds: readonly StandingBuild[], build: string | undefined): readonly StandingBuild[] {
  if (build === undefined) return builds;
  const found = builds.filter((one) => one.build === build);
  if (found.length > 0) return found;
  const all = builds.map((one) => one.build).join(', ');
  throw new UsageError(`There is no build ${build}. There are ${all}.`);
}

/** A search engine that cannot be asked must not hide what was found out about the documents. */
type IndexVerification =
  | SearchVerification
  | { readonly index: string; readonly ok: false; readonly error: string };

async function verifyIndex(
  projection: Projection,
  { documents, search }: Parts,
  signal: AbortSignal,
): Promise<IndexVerification> {
  using progress = showProgress('entries compared');
  const onProgress = (done: number): void => progress.update(done, null);
  try {
    return await verifySearch(projection, { documents, search, signal, onProgress });
  } catch (thrown) {
    if (!(thrown instanceof RetryableError || thrown instanceof PermanentError)) throw thrown;
    return { index: indexOf(projection) ?? projection.name, ok: false, error: messageOf(thrown) };
  }
}

function report({ readModel, logCut, ...rest }: Verification): object {
  return { read_model: readModel, ...rest, log_cut: logCut };
}

function printVerification(result: Verification): void {
  const { readModel, ok, documents, records, lag, digest, logCut, problems } = result;
  const against = logCut ? 'contain what is left of the log' : 'equal the fold of the log';
  const verdict = ok ? `ok: all documents ${against}` : `FAILED: ${counted(problems, 'finding')}`;
  const waiting = lag === 0 ? '' : `, ${number(lag)} more not yet consumed`;
  print(
    `${readModel}  ${verdict} (${counted(documents, 'document')}, ${counted(records, 'record')}${waiting}, digest ${digest.slice(0, 12)})`,
  );
  printFindings(result);
}

function printIndex(result: IndexVerification): void {
  if ('error' in result) return print(`${result.index} in search  FAILED: ${result.error}`);
  const { index, ok, entries, pending, refused, problems } = result;
  const verdict = ok ? 'ok: its entries equal the documents' : `FAILED: ${counted(problems, 'finding')}`;
  const counts = [counted(entries, 'entry', 'entries')];
  if (pending.put + pending.remove > 0) counts.push(`${number(pending.put + pending.remove)} waiting`);
  if (refused > 0) counts.push(`${number(refused)} refused`);
  print(`${index} in search  ${verdict} (${counts.join(', ')})`);
  printFindings(result);
}

function printFindings({ findings, problems }: Pick<Verification, 'findings' | 'problems'>): void {
  for (const { where, problem } of findings) print(`  ${where}: ${problem}`);
  if (problems > findings.length) print(`  ... and ${number(problems - findings.length)} more.`);
}

/** Records that are in the log and were not compared, because their lane has not consumed them. */
interface Uncompared {
  readonly build: string;
  readonly lane: string;
  /** Positions of the log: [from, to). */
  readonly from: number;
  readonly to: number;
  /** `behind` alone passes by itself: somebody is at it, or a publisher has a transaction open. */
  readonly reason: 'halted' | 'no_owner' | 'behind' | 'open_transaction';
}

/** What a verification just now could not look at. */
async function readUncompared(
  parts: Parts,
  builds: readonly StandingBuild[],
): Promise<readonly Uncompared[]> {
  const { log, documents, topicName } = parts;
  const projections = await Promise.all(builds.map((build) => asLanes(parts, build)));
  const owners = await readOwners(documents, await documents.now());
  return (await readProgress({ log, documents, topicName, projections })).flatMap(
    (lane): readonly Uncompared[] => {
      const owner = owners.of(lane);
      const isHalted = lane.halted !== null || owner?.state === 'halted';
      if (lane.lag === 0 && !isHalted) return [];
      const reason = isHalted ? 'halted' : lagReason(waitsForTransaction(lane), owner !== null);
      const from = lane.position ?? lane.earliest;
      const build = lane.readModel;
      return [{ build, lane: laneName(lane), from, to: Math.max(from, lane.latest), reason }];
    },
  );
}

function lagReason(isOpen: boolean, hasOwner: boolean): Uncompared['reason'] {
  if (isOpen) return 'open_transaction';
  return hasOwner ? 'behind' : 'no_owner';
}

/** Whether somebody has to do something before these records can be compared. */
function isStuck({ reason }: Uncompared): boolean {
  return reason === 'halted' || reason === 'no_owner';
}

const WHY: Readonly<Record<Uncompared['reason'], string>> = {
  halted: `the lane has halted: "${commandLine('status')}" says why`,
  no_owner: `no live projector has the lane: start one ("npm start", or "${commandLine('project')}")`,
  behind: 'not yet consumed',
  open_transaction: 'they wait for an open transaction of their publisher',
};

function describeUncompared({ lane, from, to, reason }: Uncompared): string {
  return `not compared: ${lane} from ${from} to ${to}: ${WHY[reason]}`;
}

function printUncompared(uncompared: readonly Uncompared[]): void {
  for (const lane of uncompared.slice(0, UNCOMPARED_SHOWN)) print(describeUncompared(lane));
  const rest = uncompared.length - UNCOMPARED_SHOWN;
  if (rest > 0) print(`... and ${number(rest)} more lanes: see --json.`);
}

const UNCOMPARED_SHOWN = 12;
