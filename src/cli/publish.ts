import { Command } from 'commander';

import type { Parts } from '../compose/parts.ts';
import { ensureTopics } from '../compose/projector.ts';
import type { NewRecord, Place } from '../events/log/port.ts';
import { publishable } from '../events/publishable.ts';
import type { Waited } from '../projecting/progress.ts';
import { createAppender } from './appender.ts';
import { withParts, type Finish, type Work } from './command.ts';
import { linesOf, type Line } from './lines.ts';
import { duration, note, number, print, printJson, showProgress } from './output.ts';
import { waitUntilServed } from './waiting.ts';

export function publish(finish: Finish): Command {
  return new Command('publish')
    .description('Validate events, one JSON object a line, and append them to the log.')
    .argument('<files...>', 'NDJSON files; "-" is standard input')
    .option('--dry-run', 'validate only')
    .option('--skip-invalid', 'append the valid lines and report the others')
    .option('--wait', 'return when the events have reached the documents and the search index')
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: PublishOptions) =>
      withParts('publish', async (work) => {
        const published = await publishFiles(files, options, work);
        report(published, options);
        if (!succeeded(published, options)) finish(1);
      }),
    );
}

const HELP = `
Files are validated whole first: one bad line and nothing is appended. Standard input stops at its first bad line.

Examples:
  npm run -s catalog -- publish events.ndjson --wait
  upstream-export | npm run -s catalog -- publish - --skip-invalid`;

interface PublishOptions {
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

interface Published extends Tally {
  readonly appended: number;
  /** null where nobody waited. */
  readonly waited: Waited | null;
  readonly interrupted: boolean;
  readonly elapsedMs: number;
}

interface Tally {
  valid: number;
  invalid: number;
  /** The first bad lines, for the report. */
  readonly problems: string[];
}

const SHOWN_PROBLEMS = 20;

async function publishFiles(
  files: readonly string[],
  options: PublishOptions,
  { parts, signal }: Work,
): Promise<Published> {
  const started = parts.clock.now();
  const checked = await validate(options.dryRun ? files : files.filter((file) => file !== '-'), signal);
  const isRefused = checked.invalid > 0 && !options.skipInvalid;
  const done =
    options.dryRun || isRefused || signal.aborted
      ? { tally: checked, appended: 0, reached: [] }
      : await append(files, options, parts, signal);
  const isAwaited = options.wait && done.appended > 0 && !signal.aborted;
  const waited = isAwaited ? await waitUntilServed(parts, done.reached, signal) : null;
  const elapsedMs = parts.clock.now() - started;
  return { ...done.tally, appended: done.appended, waited, interrupted: signal.aborted, elapsedMs };
}

async function validate(files: readonly string[], signal: AbortSignal): Promise<Tally> {
  const tally: Tally = { valid: 0, invalid: 0, problems: [] };
  using progress = showProgress('lines validated');
  for await (const line of linesOf(files, signal)) {
    examine(line, tally);
    progress.update(tally.valid + tally.invalid, null);
  }
  return tally;
}

/** Lines are examined once more: a file may have changed, and standard input is only read now. */
async function append(
  files: readonly string[],
  { skipInvalid }: PublishOptions,
  parts: Parts,
  signal: AbortSignal,
): Promise<{ readonly tally: Tally; readonly appended: number; readonly reached: readonly Place[] }> {
  await ensureTopics(parts);
  const tally: Tally = { valid: 0, invalid: 0, problems: [] };
  using progress = showProgress('events appended');
  await using appender = createAppender(parts.log, (appended) => progress.update(appended, null));
  try {
    for await (const line of linesOf(files, signal)) {
      const record = examine(line, tally);
      if (record) await appender.add({ ...record, topic: parts.topicName(record.topic) });
      else if (!skipInvalid) break;
    }
    await appender.finish();
  } catch (thrown) {
    note(`${number(appender.appended)} events had been appended when this happened:`);
    throw thrown;
  }
  return { tally, appended: appender.appended, reached: appender.reached };
}

function examine({ where, text }: Line, tally: Tally): NewRecord | null {
  const examined = publishable(text);
  if (examined.outcome === 'valid') {
    tally.valid += 1;
    return examined.record;
  }
  tally.invalid += 1;
  if (tally.problems.length < SHOWN_PROBLEMS) tally.problems.push(`${where}: ${examined.rejection.reason}`);
  return null;
}

function succeeded({ invalid, waited, interrupted }: Published, { skipInvalid }: PublishOptions): boolean {
  return (invalid === 0 || skipInvalid === true) && !interrupted && (waited ?? 'reached') === 'reached';
}

function report(published: Published, { json, dryRun }: PublishOptions): void {
  const { valid, invalid, appended, waited, interrupted, elapsedMs, problems } = published;
  if (json) {
    printJson({ valid, invalid, appended, waited, interrupted, elapsed_ms: elapsedMs, problems });
    return;
  }
  for (const problem of problems) note(problem);
  if (invalid > problems.length) note(`... and ${number(invalid - problems.length)} more bad lines.`);
  const bad = invalid > 0 ? `, ${number(invalid)} bad lines` : '';
  if (dryRun) print(`${number(valid)} valid, ${number(invalid)} invalid; nothing was appended.`);
  else if (appended === 0 && invalid > 0)
    print('Nothing was appended. Mend the lines above, or use --skip-invalid.');
  else
    print(`${number(appended)} event${appended === 1 ? '' : 's'} appended${bad} in ${duration(elapsedMs)}.`);
  if (waited === 'reached') print('They have reached the documents and the search index.');
  if (waited === 'halted') note('catalog: a lane has halted: see "catalog status".');
  if (interrupted) note('catalog: stopped before everything was done.');
}
