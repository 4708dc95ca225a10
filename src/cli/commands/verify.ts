import {
  gapPlaces,
  settleRestore,
  verifyBuilds,
  type IndexVerification,
  type ComparisonGap,
  type VerifyReport,
} from '../../operations/verify.ts';
import { counted, number } from '../../texts/english-amounts.ts';
import type { Verification } from '../../projecting/inspect/verify.ts';
import { fill } from '../../texts/fill.ts';
import { TEXTS } from '../../texts/texts.ts';
import { commandOf } from '../command.ts';
import { textOption } from '../option-builders.ts';
import { print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';

export const verify = commandOf('read', {
  takes: { build: textOption('<build>', 'one build alone, as "builds list" names it') },
  run: async ({ parts, signal }, { build, json }) => {
    using progress = showProgress();
    const report = await verifyBuilds(parts, signal, { build, onProgress: progress.update });
    progress[Symbol.dispose]();
    if (json) printJson(presented(report));
    else printReport(report);
    if (build === undefined) await settleRestore(parts, report);
    return report.ok ? 0 : 1;
  },
});

function presented({ ok, results, indexes, uncompared, unfolded }: VerifyReport): object {
  return {
    ok,
    read_models: results.map(({ readModel, logCut, ...rest }) => ({
      read_model: readModel,
      ...rest,
      log_cut: logCut,
    })),
    search: indexes,
    not_compared: uncompared.map(({ build: _build, ...lane }) => lane),
    without_fold: unfolded,
  };
}

function printReport({ results, indexes, uncompared, unfolded }: VerifyReport): void {
  for (const result of results) printVerification(result);
  for (const index of indexes) printIndex(index);
  for (const one of unfolded)
    print(`${one}  not compared: this release does not have its fold; run "verify" of the one that has it`);
  printUncompared(uncompared);
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

function describeGap(gap: ComparisonGap): string {
  const { lane, reason } = gap;
  const text = TEXTS.en.operator.verification.uncompared[reason];
  return `${lane} ${fill(text, gapPlaces(gap), 'en')}`;
}

function printUncompared(uncompared: readonly ComparisonGap[]): void {
  for (const lane of uncompared.slice(0, UNCOMPARED_SHOWN)) print(describeGap(lane));
  const rest = uncompared.length - UNCOMPARED_SHOWN;
  if (rest > 0) print(`... and ${number(rest)} more lanes: see --json.`);
}

const UNCOMPARED_SHOWN = 12;
