import { Command } from 'commander';

import {
  settleRestore,
  verifyBuilds,
  type IndexVerification,
  type Uncompared,
} from '../../operations/verify.ts';
import { counted, number } from '../../platform/text/format.ts';
import { commandLine } from '../../platform/text/command-line.ts';
import type { Verification } from '../../projecting/inspect/verify.ts';
import { withParts, type Finish } from '../command.ts';
import { print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';

export function verify(finish: Finish): Command {
  return new Command('verify')
    .option('--build <build>', 'one build alone, as "versions" names it')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s catalog -- verify\n  npm run -s catalog -- verify --build listings@2\n\nIt may run beside a working service. It says which records no lane has consumed yet; these are not compared. Exit code 1\nwhere something differs (each document is named), and where a lane that is behind has halted or has no live projector.',
    )
    .action(({ build, json }: { build?: string; json?: boolean }) =>
      withParts('verify', 'read', async ({ parts, signal }) => {
        const report = await verifyBuilds(parts, signal, { build, counting: showProgress });
        const { ok, results, indexes, uncompared, unfolded } = report;
        if (json)
          printJson({
            ok,
            read_models: results.map(presented),
            search: indexes,
            not_compared: uncompared.map(({ build: _build, ...lane }) => lane),
            without_fold: unfolded,
          });
        else {
          for (const result of results) printVerification(result);
          for (const index of indexes) printIndex(index);
          for (const one of unfolded)
            print(
              `${one}  not compared: this release does not have its fold; run "verify" of the one that has it`,
            );
          printUncompared(uncompared);
        }
        if (!ok) finish(1);
        if (build === undefined) await settleRestore(parts, report);
      }),
    );
}

function presented({ readModel, logCut, ...rest }: Verification): object {
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
