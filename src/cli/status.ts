import { Command } from 'commander';

import { withParts, type Finish } from './command.ts';
import { duration, number, print, printJson, printLine, table } from './output.ts';
import { readStatus, type StatusReport } from './status-report.ts';

export function status(finish: Finish): Command {
  return new Command('status')
    .description(
      'Show each read model: documents, lag in events and in time, its search index, halted lanes, parked events.',
    )
    .option('--watch', 'look again every 2 seconds, until Ctrl-C; with --json, one line for each look')
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action(({ watch, json }: { watch?: boolean; json?: boolean }) =>
      withParts('status', async ({ parts, signal }) => {
        for (;;) {
          const report = await readStatus(parts, signal);
          if (watch && process.stdout.isTTY) process.stdout.write(CLEAR);
          if (!json) printStatus(report);
          else if (watch) printLine(report);
          else printJson(report);
          if (!watch && report.halted.length > 0) finish(1);
          if (watch) await parts.clock.sleep(LOOK_MS, signal);
          if (!watch || signal.aborted) return;
          if (!json && !process.stdout.isTTY) print('');
        }
      }),
    );
}

const HELP = `
Examples:
  npm run -s catalog -- status
  npm run -s catalog -- status --watch

Exit code 1 where a lane has halted. What needs a hand stands below the tables, with what to do.`;

const LOOK_MS = 2000;
/** Moves a terminal's cursor home and clears what is below. */
const CLEAR = '\u001b[H\u001b[J';

function printStatus(report: StatusReport): void {
  const models = report.read_models.map((model) => [
    model.read_model,
    model.documents,
    model.lag,
    model.lag_ms === null ? '-' : duration(model.lag_ms),
    model.projected ? 'yes' : 'no',
    model.live ?? '-',
  ]);
  print(table(['read model', 'documents', 'lag', 'oldest waiting', 'projected', 'live'], models));
  print('');
  const indexes = report.search.map(({ index, waiting, behind_ms, refused, fed }) => [
    index,
    waiting,
    behind_ms === null ? '-' : duration(behind_ms),
    refused,
    fed ? 'yes' : 'no',
  ]);
  print(table(['search index', 'waiting', 'behind', 'refused', 'fed'], indexes));
  print('');
  if (report.parked === 0) {
    print('No parked events.');
  } else {
    print(`${number(report.parked)} parked events: see "catalog parked list".`);
    const groups = report.parked_by.map(({ read_model, topic, code, count }) => [
      read_model,
      topic,
      code,
      count,
    ]);
    print(table(['read model', 'topic', 'code', 'parked'], groups));
  }
  for (const line of needs(report)) print(line);
}

/** What needs a hand, one line each, with what to do. */
function* needs({ read_models, lanes, search, rejections, halted }: StatusReport): Generator<string> {
  if (lanes.every(({ owner }) => owner === null)) {
    yield 'NEVER PROJECTED: start "npm start" or "catalog project"; or set CATALOG_DATA to the folder that is meant.';
    return;
  }
  for (const { read_model, projected, lag, heard_of_at } of read_models) {
    if (!projected && lag > 0)
      yield `NOT PROJECTED ${read_model}: no projector has been heard of since ${heard_of_at ?? 'ever'}. Start one: "npm start", or "catalog project".`;
  }
  for (const { index, waiting, refused, refusals, fed, filling, trouble } of search) {
    if (filling) yield `FILLING ${index}: /search is 503 until it has everything.`;
    if (trouble !== null) yield `NOT FED ${index}: ${trouble}`;
    else if (!fed && waiting > 0) yield `NOT FED ${index}: no projector is running, and projectors feed it.`;
    for (const { document, reason } of refusals) yield `NOT SEARCHABLE ${document}: ${reason}`;
    if (refused > refusals.length)
      yield `... and ${number(refused - refusals.length)} more are not searchable.`;
  }
  if (rejections.trouble !== null)
    yield `NOT ANNOUNCED rejected events are parked, and upstream is not told: ${rejections.trouble} Where that is meant, set CATALOG_REJECTIONS=off.`;
  for (const { explanation } of halted) yield `HALTED ${explanation}`;
}
