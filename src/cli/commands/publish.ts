import { Command } from 'commander';

import { everyBuild } from '../../projecting/builds/standing-builds.ts';
import type { Parts } from '../../compose/parts.ts';
import { ensureTopics } from '../../compose/projector.ts';
import { publishable, type Publishable } from '../../events/publishable.ts';
import { parkedAt, type Run } from '../../projecting/engine/parked-events.ts';
import { createArrivals, type Arrivals } from '../../projecting/inspect/arrivals.ts';
import { createLeapWatch, type LeapWatch } from './publish/leaps.ts';
import { createAppender } from '../../operations/appender.ts';
import { withParts, type Finish, type Work } from '../command.ts';
import { linesOf, type Line } from './publish/lines.ts';
import { counted } from '../../platform/text/format.ts';
import { note } from '../output.ts';
import { showProgress } from '../progress.ts';
import {
  newTally,
  rememberPath,
  report,
  succeeded,
  type Published,
  type PublishOptions,
  type Tally,
} from './publish/report.ts';
import { waitUntilServed } from '../waiting.ts';

export function publish(finish: Finish): Command {
  return new Command('publish')
    .argument('<files...>', 'NDJSON files; "-" is standard input')
    .option('--dry-run', 'validate only')
    .option('--skip-invalid', 'append the valid lines and report the others')
    .option('--wait', 'return when the events have reached the documents and the search index')
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: PublishOptions) =>
      withParts('publish', 'create', async (work) => {
        const published = await publishFiles(files, options, work);
        report(published, options);
        if (!succeeded(published, options)) finish(1);
      }),
    );
}

const HELP = `
Files are validated whole first: one bad line and nothing is appended. Standard input stops at its first bad line.
With --wait, an event that could not be used after all is named with the reason, and so is one that changed nothing: what
stands in its place has a higher revision, or the same one. "trace" answers the same question later.

Examples:
  npm run -s catalog -- publish events.ndjson --dry-run
  npm run -s catalog -- publish events.ndjson --wait
  upstream-export | npm run -s catalog -- publish - --skip-invalid

Exit code 1 where a line is bad (with --skip-invalid, that alone is none), or where one of the events was parked.`;

async function publishFiles(
  files: readonly string[],
  options: PublishOptions,
  { parts, signal }: Work,
): Promise<Published> {
  const { clock } = parts;
  const started = clock.monotonic();
  if (files.includes('-') && process.stdin.isTTY)
    note('Reading events from the terminal, one JSON object a line. Ctrl-D ends them.');
  // Standard input cannot be read twice.
  const first = options.dryRun ? files : files.filter((file) => file !== '-');
  const leaps = options.dryRun ? createLeapWatch(parts) : null;
  const checked = await validate(first, leaps, signal);
  const isRefused = checked.invalid > 0 && !options.skipInvalid;
  const done: Appended =
    options.dryRun || isRefused || signal.aborted
      ? { tally: checked, stopped: false, appended: 0, runs: [], arrivals: null }
      : await append(files, options, parts, signal);
  const { tally, appended, stopped, runs, arrivals } = done;
  const appendedMs = clock.monotonic() - started;
  const isAwaited = options.wait && appended > 0 && !signal.aborted;
  const waited = isAwaited ? await waitUntilServed(parts, lastPlaces(runs), signal) : null;
  const parked = waited === 'reached' ? await parkedAt(parts.documents, runs) : [];
  const unused = parked.map(({ body }) => body);
  const arrived = waited === 'reached' ? await arrivals?.after(parts.log, runs, unused, signal) : undefined;
  const waitedMs = isAwaited ? clock.monotonic() - started - appendedMs : null;
  const interrupted = signal.aborted;
  return { ...tally, appended, appendedMs, waited, waitedMs, parked, arrived, stopped, interrupted };
}

function lastPlaces(runs: readonly Run[]) {
  return runs.map(({ topic, partition, to }) => ({ topic, partition, position: to - 1 }));
}

async function validate(
  files: readonly string[],
  leaps: LeapWatch | null,
  signal: AbortSignal,
): Promise<Tally> {
  const tally = newTally();
  using progress = showProgress('lines validated');
  for await (const line of linesOf(files, signal)) {
    const valid = examine(line, tally);
    if (valid) await leaps?.look(line.where, valid.record, valid.revision);
    progress.update(tally.valid + tally.invalid, null);
  }
  return { ...tally, leaps: leaps?.found ?? [] };
}

interface Appended {
  readonly tally: Tally;
  readonly stopped: boolean;
  readonly appended: number;
  readonly runs: readonly Run[];
  /** null where nobody waits for them. */
  readonly arrivals: Arrivals | null;
}

/** Lines are examined once more: a file may have changed, and standard input is only read now. */
async function append(
  files: readonly string[],
  { skipInvalid, wait }: PublishOptions,
  parts: Parts,
  signal: AbortSignal,
): Promise<Appended> {
  await ensureTopics(parts);
  const arrivals = wait ? await arrivalsOf(parts) : null;
  const tally = newTally();
  let stopped = false;
  const leaps = createLeapWatch(parts);
  using progress = showProgress('events appended');
  await using appender = createAppender(parts.log, {
    onAppended: (appended) => progress.update(appended, null),
    before: async (records) => arrivals?.before(records),
  });
  try {
    for await (const line of linesOf(files, signal)) {
      const valid = examine(line, tally);
      stopped = valid === null && !skipInvalid;
      if (stopped) break;
      if (valid === null) continue;
      await leaps.look(line.where, valid.record, valid.revision);
      await appender.add({ ...valid.record, topic: parts.topicName(valid.record.topic) });
    }
    await appender.finish();
  } catch (thrown) {
    note(`${counted(appender.appended, 'event')} had been appended when this happened:`);
    throw thrown;
  }
  const { appended, runs } = appender;
  return { tally: { ...tally, leaps: leaps.found }, stopped, appended, runs, arrivals };
}

async function arrivalsOf(parts: Parts): Promise<Arrivals> {
  const live = (await everyBuild(parts)).filter(({ isLive }) => isLive);
  const projections = live.flatMap(({ projection }) => projection ?? []);
  return createArrivals(parts.documents, projections, parts.decode);
}

/** Problems that are kept for the report. */
const KEPT_PROBLEMS = 1000;

function examine(
  { where, bytes }: Line,
  tally: Tally,
): Extract<Publishable, { readonly outcome: 'valid' }> | null {
  const examined = publishable(bytes);
  if (examined.outcome === 'valid') {
    tally.valid += 1;
    tally.unknownFields += examined.unknownPaths.length;
    for (const path of examined.unknownPaths) rememberPath(path, tally);
    tally.types.set(examined.type, (tally.types.get(examined.type) ?? 0) + 1);
    return examined;
  }
  tally.invalid += 1;
  if (tally.problems.length < KEPT_PROBLEMS) tally.problems.push({ where, ...examined.rejection });
  return null;
}
