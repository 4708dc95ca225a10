import { Command } from 'commander';

import { commandLine } from '../../platform/command-line.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { readModelOf } from '../../operating/named-builds.ts';
import { withParts, type Finish, type Work } from '../command.ts';
import { integerFrom } from '../options.ts';
import { note, print, printJson } from '../output.ts';
import { entryLines, readEntry } from './diff/entry.ts';
import { buildsNamed, type StoredBuild } from './diff/named.ts';
import { checkOptions, countingOf, fieldList, type DiffOptions } from './diff/options.ts';
import { checkFile, writeFileWhole } from './diff/page-file.ts';
import { readAll, type AllParts } from './diff/read-all.ts';
import { reportOf } from './diff/report.ts';
import { isRanked } from './diff/score.ts';

export function diff(_finish: Finish): Command {
  return new Command('diff')
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
  for (const build of pair) noteUnfinished(build);
  if (options.key === undefined) await showAll({ documents, clock, signal, pair, isWithRanks }, options);
  else await showEntry({ documents, pair, isWithRanks }, options.key, options);
}

/** Half a build looks as if all the rest had been removed. */
function noteUnfinished({ collection, state, isWhole }: StoredBuild): void {
  if (isWhole) return;
  const where = `"${commandLine(state === 'shadow' ? 'shadows' : 'versions')}" shows more`;
  note(`${collection} is not finished: it is compared as far as it is. ${where}.`);
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
  { pair, isWithRanks, ...parts }: Asked & Pick<AllParts, 'clock' | 'signal'>,
  options: DiffOptions,
): Promise<void> {
  const [before, after] = [pair[0].collection, pair[1].collection];
  const summing = await readAll({ ...parts, before, after, isWithRanks }, options);
  const summary = summing.summary();
  if (options.html !== undefined) {
    // Loaded where it is asked for: nobody else waits for it.
    const { pageOf } = await import('./diff/page.ts');
    await writeFileWhole(options.html, pageOf(summary, summing.plots.read()));
    note(`Written: ${options.html}`);
  }
  if (options.ndjson) return;
  if (options.json) printJson(summary);
  else print(reportOf(summary, options.top));
}
