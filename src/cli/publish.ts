import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import { Command } from 'commander';

import { ensureTopics, type Parts } from '../compose.ts';
import { publishable } from '../events/publishable.ts';
import type { NewRecord, Place } from '../events/log/port.ts';
import { messageOf, PermanentError, UsageError } from '../platform/errors.ts';
import { waitFor } from '../projecting/progress.ts';
import { withParts, type Finish, type Work } from './command.ts';
import { duration, note, number, print, printJson, showProgress } from './output.ts';

export function publish(finish: Finish): Command {
  return new Command('publish')
    .description('Validate events, one JSON object a line, and append them to the log.')
    .argument('<files...>', 'NDJSON files; "-" is standard input')
    .option('--dry-run', 'validate only')
    .option('--skip-invalid', 'append the valid lines and report the others')
    .option('--wait', 'return when the events have reached the documents')
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: PublishOptions) =>
      withParts('publish', async (work) => finish((await publishFiles(files, options, work)) ? 0 : 1)),
    );
}

const HELP = `
Files are validated whole first: one bad line and nothing is appended. Standard input stops at its first bad line.

Examples:
  npm run -s catalog -- publish events.ndjson --wait
  echo '{"specversion":"1.0","id":"1","source":"/me","type":"catalog.entry.unpublished.v1","subject":"ai-news",
    "time":"2026-01-01T00:00:00Z","data":{"revision":8}}' | tr -d '\\n' | npm run -s catalog -- publish -`;

interface PublishOptions {
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

interface Tally {
  valid: number;
  invalid: number;
  appended: number;
  /** The furthest place appended to in each partition. */
  readonly reached: Map<string, Place>;
  /** The first bad lines, for the report. */
  readonly problems: string[];
}

const BATCH = 1000;
const SHOWN_PROBLEMS = 20;
const NOTHING_MOVES_MS = 5000;

async function publishFiles(files: readonly string[], options: PublishOptions, work: Work): Promise<boolean> {
  const { parts, signal } = work;
  const started = parts.clock.now();
  const tally: Tally = { valid: 0, invalid: 0, appended: 0, reached: new Map(), problems: [] };
  await validateFiles(files, tally, options);
  const refused = tally.invalid > 0 && !options.skipInvalid;
  if (!options.dryRun && !refused) {
    // Counted anew while appending; standard input is read only now.
    Object.assign(tally, { valid: 0, invalid: 0 });
    tally.problems.length = 0;
    await appendFiles(files, tally, options, work);
  }
  const waited = options.wait && tally.appended > 0 ? await waitForDocuments(parts, tally, signal) : null;
  report(tally, options, waited, parts.clock.now() - started);
  return (tally.invalid === 0 || options.skipInvalid === true) && waited !== 'halted' && waited !== 'stopped';
}

async function validateFiles(files: readonly string[], tally: Tally, options: PublishOptions): Promise<void> {
  for (const file of files) {
    if (file === '-' && !options.dryRun) continue;
    const progress = showProgress('lines validated');
    for await (const line of linesOf(file)) {
      examine(line, tally);
      progress.update(tally.valid + tally.invalid, null);
    }
    progress.finish();
  }
}

async function appendFiles(
  files: readonly string[],
  tally: Tally,
  options: PublishOptions,
  { parts, signal }: Work,
): Promise<void> {
  await ensureTopics(parts);
  const progress = showProgress('events appended');
  let batch: NewRecord[] = [];
  const flush = async (): Promise<void> => {
    for (const place of await parts.log.append(batch)) {
      tally.reached.set(`${place.topic}/${place.partition}`, place);
    }
    tally.appended += batch.length;
    batch = [];
    progress.update(tally.appended, null);
  };
  for await (const line of everyLine(files)) {
    const record = examine(line, tally);
    if (record) batch.push({ ...record, topic: parts.topicName(record.topic) });
    // A bad line ends standard input; in a file it can only be here if the file has changed since it was checked.
    if ((!record && !options.skipInvalid) || signal.aborted) break;
    if (batch.length >= BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  progress.finish();
}

async function* everyLine(files: readonly string[]): AsyncIterable<Line> {
  for (const file of files) yield* linesOf(file);
}

interface Line {
  /** `events.ndjson:17` */
  readonly where: string;
  readonly text: string;
}

async function* linesOf(file: string): AsyncIterable<Line> {
  const input = file === '-' ? process.stdin : await openFile(file);
  let lineNumber = 0;
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    lineNumber += 1;
    if (text.trim() === '') continue;
    yield { where: `${file === '-' ? 'standard input' : file}:${lineNumber}`, text };
  }
}

async function openFile(file: string): Promise<Readable> {
  try {
    if ((await stat(file)).isDirectory())
      throw new UsageError(`${file} is a folder. Give NDJSON files, or "-".`);
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    throw new PermanentError(`${file} cannot be read: ${messageOf(thrown)}`, { cause: thrown });
  }
  return createReadStream(file);
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

async function waitForDocuments(
  parts: Parts,
  { reached }: Tally,
  signal: AbortSignal,
): Promise<'reached' | 'halted' | 'stopped'> {
  const { log, documents, projections, topicName, clock } = parts;
  const progress = showProgress('events to go');
  let [before, movedAt] = [Infinity, clock.now()];
  const waited = await waitFor({ log, documents, projections, topicName }, [...reached.values()], {
    clock,
    signal,
    onProgress: (left) => {
      progress.update(left, null);
      if (left !== before) [before, movedAt] = [left, clock.now()];
      if (clock.now() - movedAt < NOTHING_MOVES_MS) return;
      movedAt = Infinity;
      note(
        'Still waiting: is a projector running ("npm start", or "catalog project")? Ctrl-C stops waiting.',
      );
    },
  });
  progress.finish();
  return waited;
}

function report(
  { valid, invalid, appended, problems }: Tally,
  options: PublishOptions,
  waited: 'reached' | 'halted' | 'stopped' | null,
  elapsedMs: number,
): void {
  if (options.json) {
    printJson({ valid, invalid, appended, waited, elapsed_ms: elapsedMs, problems });
    return;
  }
  for (const problem of problems) note(problem);
  if (invalid > problems.length) note(`... and ${number(invalid - problems.length)} more bad lines.`);
  if (options.dryRun) print(`${number(valid)} valid, ${number(invalid)} invalid; nothing was appended.`);
  else if (appended === 0 && invalid > 0)
    print('Nothing was appended. Mend the lines above, or use --skip-invalid.');
  else
    print(
      `${number(appended)} event${appended === 1 ? '' : 's'} appended${invalid > 0 ? `, ${number(invalid)} bad lines` : ''} in ${duration(elapsedMs)}.`,
    );
  if (waited === 'reached') print('They have reached the documents.');
  if (waited === 'halted') note('catalog: a lane has halted: see "catalog status".');
  if (waited === 'stopped') note('catalog: stopped before they had reached the documents.');
}
