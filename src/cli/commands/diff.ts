import { Command } from 'commander';

import type { Clock } from '../../platform/clock.ts';
import { commandLine } from '../../platform/command-line.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import { Stopped } from '../../projecting/engine/retry.ts';
import { readBuild } from '../../stores/builds.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { readModelOf } from '../builds.ts';
import { withParts, type Finish, type Work } from '../command.ts';
import { integerFrom } from '../options.ts';
import { isOnTerminal, note, print, printJson, printStream } from '../output.ts';
import { showProgress } from '../progress.ts';
import { entryLines, readEntry } from './diff/entry.ts';
import { lineOf } from './diff/line.ts';
import { buildsNamed, type StoredBuild } from './diff/named.ts';
import { checkOptions, countingOf, fieldList, type DiffOptions } from './diff/options.ts';
import { checkFile, writeFileWhole } from './diff/page-file.ts';
import { readComparisons } from './diff/reading.ts';
import { reportOf } from './diff/report.ts';
import { isRanked, readRanked } from './diff/score.ts';
import { sumUp, type Summing } from './diff/summary.ts';

export function diff(_finish: Finish): Command {
  return new Command('diff')
    .description(
      'Compare two builds, or shadows: what was added, removed and changed, and what moved furthest.',
    )
    .argument(
      '<before>',
      'a build or a shadow, as "versions" names it; or live, the live build of the other’s read model',
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
    .option('--html <file>', 'also write a page with plots, which loads nothing from anywhere')
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action(async (before: string, after: string, options: DiffOptions) => {
      checkOptions(options);
      if (options.html !== undefined) await checkFile(options.html);
      await withParts('diff', 'read', (work) => run(work, [before, after], options));
    });
}

const HELP = `
Examples:
  npm run -s catalog -- diff listings@1 listings@2
  npm run -s catalog -- diff live listings@2 --fields score.value,rank --html diff.html
  npm run -s catalog -- diff live listings@2 --key ai-news

What is compared is what readers see: an unpublished entry counts as removed. Both are read as they are at that moment.
A difference is no failure: the exit code is 0 with differences and without.`;

type Pair = readonly [StoredBuild, StoredBuild];

async function run(
  { parts, signal }: Work,
  names: readonly [string, string],
  options: DiffOptions,
): Promise<void> {
  const { documents, clock } = parts;
  const pair = await buildsNamed(documents, names);
  const isWithRanks = isRanked(readModelOf(parts, pair[0].name));
  if (countingOf(options).rank && !isWithRanks)
    throw new UsageError(`${pair[0].name} has no ranks: leave rank out of --fields.`);
  for (const build of pair) await noteUnfinished(documents, build);
  if (options.key === undefined) await showAll({ documents, clock, signal, pair, isWithRanks }, options);
  else await showEntry({ documents, pair, isWithRanks }, options.key, options);
}

/** A comparison with half a build is not what anybody wants to know, unless they know that it is one. */
async function noteUnfinished(documents: Documents, { collection, state }: StoredBuild): Promise<void> {
  if (state !== 'build') return;
  const build = await readBuild(documents, collection);
  if (build && build.completed_at !== null) return;
  note(
    `${collection} is still being built: it is compared as far as it is. "${commandLine('versions')}" shows more.`,
  );
}

interface Asked {
  readonly documents: Documents;
  readonly pair: Pair;
  readonly isWithRanks: boolean;
}

async function showEntry(
  { documents, pair, isWithRanks }: Asked,
  id: string,
  options: DiffOptions,
): Promise<void> {
  const [before, after] = [pair[0].collection, pair[1].collection];
  const { paths, rank } = countingOf(options);
  const isRankAsked = isWithRanks && (rank || paths === null);
  const entry = await readEntry(documents, { id, before, after, paths, rank: isRankAsked });
  if (entry === null) throw new PermanentError(`Readers see no entry ${id} in ${before}, nor in ${after}.`);
  if (options.json) printJson(entry);
  else print(entryLines(entry));
}

async function showAll(
  { pair, isWithRanks, ...parts }: Asked & Pick<Reading, 'clock' | 'signal'>,
  options: DiffOptions,
): Promise<void> {
  const [before, after] = [pair[0].collection, pair[1].collection];
  const summing = await readAll({ ...parts, before, after, isWithRanks }, options);
  const summary = summing.summary();
  if (options.html !== undefined) {
    // Loaded where it is asked for: it brings a charting library along.
    const { pageOf } = await import('./diff/page.ts');
    await writeFileWhole(options.html, pageOf(summary, summing.plots.read()));
    note(`Written: ${options.html}`);
  }
  if (options.ndjson) return;
  if (options.json) printJson(summary);
  else print(reportOf(summary, options.top));
}

interface Reading extends Pick<Asked, 'documents' | 'isWithRanks'> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly before: string;
  readonly after: string;
}

/** Reads both, and prints differences as they are found where that is asked for. */
async function readAll({ isWithRanks, clock, ...parts }: Reading, options: DiffOptions): Promise<Summing> {
  const { ndjson, top, fields = null } = options;
  const { before, after, signal } = parts;
  // Where the lines themselves are on the terminal, nothing is written between them.
  using progress = ndjson && isOnTerminal() ? null : showProgress('documents read');
  const ranked = isWithRanks ? await readRanked(parts.documents, before, after) : null;
  const compared_at = new Date(clock.now()).toISOString();
  const summing = sumUp({ before, after, compared_at, fields, top, ranked: isWithRanks });
  for await (const batch of readComparisons({ ...parts, progress }, countingOf(options), ranked)) {
    for (const comparison of batch) summing.add(comparison);
    if (!ndjson) continue;
    const lines = batch.map(lineOf).filter((line) => line !== null);
    const written = await printStream(lines, signal, () => undefined);
    if (written === 'stopped') throw new Stopped('diff: stopped');
  }
  return summing;
}
