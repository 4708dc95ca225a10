import { InvalidArgumentError } from 'commander';

import { findBuilds, readModelOf, type StoredBuild } from '../../../operations/named-builds.ts';
import { UsageError } from '../../../platform/errors.ts';
import { commandLine } from '../../../platform/text/command-hint.ts';
import { compareBuilds, type ComparedBuilds } from '../../../projecting/inspect/diff/compare-builds.ts';
import type { Comparison } from '../../../projecting/inspect/diff/compare-entry.ts';
import { isRanked } from '../../../projecting/inspect/diff/rank-by-score.ts';
import { sumUp, type SummaryBuilder } from '../../../projecting/inspect/diff/summary.ts';
import { FILE } from '../../analysis-sources-and-output.ts';
import { commandOf, type CommandInput, type Work } from '../../command.ts';
import { writeLinesTo, writeWhole } from '../../write-lines.ts';
import { argument, flag, integer, option, textOption } from '../../option-builders.ts';
import { isOnTerminal, note, print, printJson, printLines } from '../../output.ts';
import { showProgress } from '../../progress.ts';
import { reportOf } from './diff/report.ts';

const TAKES = {
  before: argument(
    '<before>',
    'a build as "builds list" names it, or a shadow as "shadows list" does; or live, the live build of the other’s read model',
  ),
  after: argument('<after>', 'the other one'),
  fields: option<readonly string[] | undefined>(
    '<fields>',
    'what counts as a change: score.value,title.en (default: all)',
    (made) => made.argParser(fieldList),
  ),
  top: integer('<n>', 'how many movements each table shows', [1, 1000], 20),
  ndjson: flag('print a line of JSON for each difference'),
  html: textOption('<file>', 'also write a page with a plot, which loads nothing from anywhere'),
  force: FILE.force,
};
type DiffOptions = Omit<CommandInput<typeof TAKES>, 'before' | 'after'>;

export const diff = commandOf('read', {
  takes: TAKES,
  run: async (work, { before, after, ...options }) => {
    if (options.json && options.ndjson)
      throw new UsageError('--json is one document, --ndjson a line for each difference: give one of them.');
    await showDiff(work, [before, after], options);
  },
});

/** Paths into a view, with commas between. */
function fieldList(text: string): readonly string[] {
  const fields = [...new Set(text.split(',').map((field) => field.trim()))];
  if (fields.every((field) => PATH.test(field))) return fields;
  throw new InvalidArgumentError('Expected names of fields with commas between: score.value,title.en.');
}

/** Names joined with dots; a day of a history is a name as well. */
const PATH = /^[\w-]+(\.[\w-]+)*$/;

async function showDiff(work: Work, names: readonly [string, string], options: DiffOptions): Promise<void> {
  const { parts, signal } = work;
  const { fields = null, html, force = false, top } = options;
  const builds = await findBuilds(parts, names);
  for (const build of builds) noteUnfinished(build);
  const [{ collection: before, readModel }, { collection: after }] = builds;
  const ranked = isRanked(readModelOf(parts, readModel));
  const compared_at = new Date(parts.clock.now()).toISOString();
  const summing = sumUp({ before, after, compared_at, fields, top, ranked });
  const { documents } = parts;
  const compared = { documents, signal, before, after, paths: fields, isRanked: ranked };
  const readAll = () => compareAll(compared, summing, options);
  if (html === undefined) await readAll();
  else {
    // Loaded where it is asked for: nobody else waits for it.
    const { pageOf } = await import('./diff/page.ts');
    // The file is opened before anything is read: what takes a minute must not fail for a slip in a path.
    const page = async function* () {
      await readAll();
      yield pageOf(summing.summary(), summing.dots());
    };
    await writeWhole(html, { force }, (part) => writeLinesTo(part, page(), signal));
    note(`Written: ${html}`);
  }
  if (options.ndjson) return;
  if (options.json) printJson(summing.summary());
  else print(reportOf(summing.summary()));
}

/** Half a build looks as if all the rest had been removed. */
function noteUnfinished({ collection, state, isWhole }: StoredBuild): void {
  if (isWhole) return;
  const where = `"${commandLine(state === 'shadow' ? 'shadows list' : 'builds list')}" shows more`;
  note(`${collection} is not finished: it is compared as far as it is. ${where}.`);
}

/** Reads both builds to their ends, and sums them up. With --ndjson each difference is printed as it is found. */
async function compareAll(compared: ComparedBuilds, summing: SummaryBuilder, { ndjson }: DiffOptions) {
  // Where the lines themselves are on the terminal, nothing is written between them.
  using progress = ndjson && isOnTerminal() ? null : showProgress();
  const onProgress = (done: number, total: number): void => progress?.update('documents read', done, total);
  async function* lines() {
    for await (const comparison of compareBuilds({ ...compared, onProgress })) {
      summing.add(comparison);
      if (ndjson && comparison.outcome !== 'unchanged') yield JSON.stringify(lineOf(comparison));
    }
  }
  await printLines(lines(), compared.signal);
}

/** A difference as `--ndjson` prints it. Where readers do not see it, it has no score and no rank: null. */
function lineOf({ id, outcome, fields, score, rank }: Comparison): object {
  const isOfScores = score.before !== null || score.after !== null;
  return { id, change: outcome, ...(isOfScores && { score, rank }), fields: Object.fromEntries(fields) };
}
