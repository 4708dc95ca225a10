import { Command, InvalidArgumentError } from 'commander';

import { commandLine } from '../../platform/text/command-line.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import type { Comparison, Counting } from '../../projecting/inspect/diff/comparing.ts';
import { readModelOf } from '../../operations/named-builds.ts';
import { withParts, type Work } from '../command.ts';
import { writeLinesTo, writeWhole } from '../data-file.ts';
import { integerFrom } from '../options.ts';
import { isOnTerminal, note, print, printJson, printLines } from '../output.ts';
import { showProgress } from '../progress.ts';
import { entryLines, readEntry } from './diff/entry.ts';
import { buildsNamed, type StoredBuild } from './diff/named.ts';
import { isRanked, readComparisons } from './diff/read.ts';
import { reportOf } from './diff/report.ts';
import { sumUp, type Summing } from './diff/summary.ts';

export function diff(): Command {
  return new Command('diff')
    .argument(
      '<before>',
      'a build or a shadow, as "builds list" names it; or live, the live build of the other’s read model',
    )
    .argument('<after>', 'the other one')
    .option('--key <slug>', 'one entry alone, its fields side by side')
    .option(
      '--fields <fields>',
      'what counts as a change: score.value,title.en,rank (default: all but the rank)',
      fieldList,
    )
    .option('--top <n>', 'how many movements each table shows', integerFrom(1, 1000), 20)
    .option('--ndjson', 'print a line of JSON for each difference')
    .option('--html <file>', 'also write a page with a plot, which loads nothing from anywhere')
    .addHelpText('after', HELP)
    .action(async (before: string, after: string, options: DiffOptions) => {
      checkOptions(options);
      await withParts('diff', 'read', (work) => run(work, [before, after], options));
    });
}

const HELP = `
Examples:
  npm run -s catalog -- builds diff listings@1 listings@2
  npm run -s catalog -- builds diff live listings@2 --fields score.value,rank --html diff.html
  npm run -s catalog -- builds diff live listings@2 --key ai-news

What is compared is what readers see: an unpublished entry counts as removed. Both are read as they are at that moment.
A difference is no failure: the exit code is 0 with differences and without.`;

interface DiffOptions {
  readonly key?: string;
  readonly fields?: readonly string[];
  readonly top: number;
  readonly json?: boolean;
  readonly ndjson?: boolean;
  readonly html?: string;
}

/** Paths into a view, and `rank`, with commas between. */
function fieldList(text: string): readonly string[] {
  const fields = [...new Set(text.split(',').map((field) => field.trim()))];
  if (fields.every((field) => PATH.test(field))) return fields;
  throw new InvalidArgumentError('Expected names of fields with commas between: score.value,title.en,rank.');
}

/** Names joined with dots; a day of a history is a name as well. */
const PATH = /^[\w-]+(\.[\w-]+)*$/;

/** @throws {UsageError} where options contradict each other. */
function checkOptions({ key, json, ndjson, html }: DiffOptions): void {
  if (json && ndjson)
    throw new UsageError('--json is one document, --ndjson a line for each difference: give one of them.');
  if (key !== undefined && (ndjson || html !== undefined))
    throw new UsageError('--key shows one entry: it goes with --json, not with --ndjson or --html.');
}

/** The rank is the one field that stands in no view: it is computed. */
function countingOf({ fields }: DiffOptions): Counting {
  if (fields === undefined) return { paths: null, rank: false };
  return { paths: fields.filter((field) => field !== 'rank'), rank: fields.includes('rank') };
}

async function run(work: Work, names: readonly [string, string], options: DiffOptions): Promise<void> {
  const { parts } = work;
  const { key, html } = options;
  const builds = await buildsNamed(parts, names);
  const [{ collection: before, readModel }, { collection: after }] = builds;
  const counting = countingOf(options);
  const isWithRanks = isRanked(readModelOf(parts, readModel));
  if (counting.rank && !isWithRanks)
    throw new UsageError(`${readModel} has no ranks: leave rank out of --fields.`);
  for (const build of builds) noteUnfinished(build);
  if (key !== undefined) {
    const entry = await readEntry(parts.documents, key, [before, after], counting.paths);
    if (entry === null)
      throw new PermanentError(`Readers see no entry ${key} in ${before}, nor in ${after}.`);
    if (options.json) printJson(entry);
    else print(entryLines(entry));
    return;
  }
  const fields = options.fields ?? null;
  const compared_at = new Date(parts.clock.now()).toISOString();
  const summing = sumUp({ before, after, compared_at, fields, top: options.top, ranked: isWithRanks });
  const readAll = () => compareAll(work, { before, after, counting, isWithRanks }, summing, options);
  if (html === undefined) await readAll();
  else {
    // Loaded where it is asked for: nobody else waits for it.
    const { pageOf } = await import('./diff/page.ts');
    // The file is opened before anything is read: what takes a minute must not fail for a slip in a path.
    const page = async function* () {
      await readAll();
      yield pageOf(summing.summary(), summing.plots.read());
    };
    await writeWhole(html, { force: true }, (part) => writeLinesTo(part, page(), work.signal));
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

interface Compared {
  readonly before: string;
  readonly after: string;
  readonly counting: Counting;
  readonly isWithRanks: boolean;
}

/** Reads both builds to their ends, and sums them up. With --ndjson each difference is printed as it is found. */
async function compareAll(
  { parts: { documents }, signal }: Work,
  { counting, isWithRanks, ...builds }: Compared,
  summing: Summing,
  { ndjson }: DiffOptions,
): Promise<void> {
  // Where the lines themselves are on the terminal, nothing is written between them.
  using progress = ndjson && isOnTerminal() ? null : showProgress('documents read');
  const all = readComparisons({ ...builds, documents, signal, progress }, counting, isWithRanks);
  async function* lines() {
    for await (const comparison of all) {
      summing.add(comparison);
      if (ndjson && comparison.outcome !== 'unchanged') yield JSON.stringify(lineOf(comparison));
    }
  }
  await printLines(lines(), signal);
}

/** A difference as `--ndjson` prints it. Where readers do not see it, it has no score and no rank: null. */
function lineOf({ id, outcome, fields, standing: { before, after } }: Comparison): object {
  const hasRank = before !== null || after !== null;
  return {
    id,
    change: outcome,
    ...(hasRank && {
      score: { before: before?.score ?? null, after: after?.score ?? null },
      rank: { before: before?.rank ?? null, after: after?.rank ?? null },
    }),
    fields: Object.fromEntries(fields),
  };
}
