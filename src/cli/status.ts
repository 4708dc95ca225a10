import { Command } from 'commander';

import { explainHalt, laneName } from '../projecting/lane.ts';
import { PARKED } from '../projecting/parking.ts';
import { lagAge, readProgress, type LaneProgress } from '../projecting/progress.ts';
import { collectionOf, searched } from '../projecting/projection.ts';
import { readSearchProgress } from '../projecting/search/progress.ts';
import type { Parts } from '../compose/parts.ts';
import type { Documents } from '../stores/documents/port.ts';
import { marked, type Marked } from '../stores/outbox.ts';
import { withParts, type Finish } from './command.ts';
import { duration, number, print, printJson, table } from './output.ts';

export function status(finish: Finish): Command {
  return new Command('status')
    .description(
      'Show each read model: documents, lag in events and in time, its search index, halted lanes, parked events.',
    )
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s catalog -- status\n\nExit code 1 where a lane has halted.',
    )
    .action(({ json }: { json?: boolean }) =>
      withParts('status', async ({ parts, signal }) => {
        const report = await readStatus(parts, signal);
        if (json) printJson(report);
        else printStatus(report);
        if (report.halted.length > 0) finish(1);
      }),
    );
}

interface StatusReport {
  readonly read_models: readonly ReadModelStatus[];
  readonly halted: readonly { readonly lane: string; readonly explanation: string }[];
  readonly parked: number;
  readonly search: readonly SearchStatus[];
  readonly lanes: readonly object[];
}

interface ReadModelStatus {
  readonly read_model: string;
  readonly documents: number;
  /** Records that are in the log and not yet in the documents. */
  readonly lag: number;
  /** How long the oldest of those has been waiting, in milliseconds; null without any. */
  readonly lag_ms: number | null;
}

interface SearchStatus {
  readonly index: string;
  /** Documents that the index has still to be told of. */
  readonly waiting: number;
  /** How long it has not been known to be up to date, in milliseconds; null where it is. */
  readonly behind_ms: number | null;
  /** Documents whose entry the search engine does not accept. */
  readonly refused: number;
  /** The first of them. */
  readonly refusals: readonly { readonly document: string; readonly reason: string }[];
  /** Whether a feeder has been heard of lately. */
  readonly fed: boolean;
  /** Whether it is being filled: until then it is not asked, and /search is 503. */
  readonly filling: boolean;
  /** What keeps the feeder from feeding; null where nothing does. */
  readonly trouble: string | null;
}

async function readStatus(parts: Parts, signal: AbortSignal): Promise<StatusReport> {
  const { documents, log, clock } = parts;
  const lanes = await readProgress(parts);
  const models: ReadModelStatus[] = [];
  for (const projection of parts.projections) {
    const readModel = collectionOf(projection);
    const own = lanes.filter((lane) => lane.readModel === readModel);
    const ages = await Promise.all(own.map((lane) => lagAge(log, lane, clock, signal)));
    const waiting = ages.filter((age) => age !== null);
    const [all] = await documents.count(readModel, { where: {}, by: [] });
    models.push({
      read_model: readModel,
      documents: all?.count ?? 0,
      lag: own.reduce((sum, lane) => sum + lane.lag, 0),
      lag_ms: waiting.length > 0 ? Math.max(...waiting) : null,
    });
  }
  const [parked] = await documents.count(PARKED.name, { where: { state: 'parked' }, by: [] });
  return {
    read_models: models,
    halted: lanes.flatMap((lane) =>
      lane.halted ? [{ lane: laneName(lane), explanation: explainHalt(lane, lane.halted) }] : [],
    ),
    parked: parked?.count ?? 0,
    search: await readSearch(parts),
    lanes: lanes.map(laneReport),
  };
}

/** Listed at most. */
const REFUSALS = 20;

async function readSearch({ documents, projections }: Parts): Promise<readonly SearchStatus[]> {
  const found: SearchStatus[] = [];
  for (const projection of searched(projections)) {
    const { index, waiting, behindMs, refused, isFed, isFilling, trouble } = await readSearchProgress(
      projection,
      documents,
    );
    const refusals = refused > 0 ? await readRefusals(documents, collectionOf(projection)) : [];
    found.push({
      index,
      waiting,
      behind_ms: behindMs,
      refused,
      refusals,
      fed: isFed,
      filling: isFilling,
      trouble,
    });
  }
  return found;
}

async function readRefusals(documents: Documents, collection: string): Promise<SearchStatus['refusals']> {
  for await (const page of marked<Marked>(documents, collection, 'refused')) {
    return page.slice(0, REFUSALS).map(({ id, body: { dirty } }) => ({
      document: id,
      reason: dirty?.mark === 'refused' ? dirty.reason : '',
    }));
  }
  return [];
}

function laneReport(lane: LaneProgress): object {
  const { position, earliest, latest, lag, halted, checkpoint } = lane;
  return {
    lane: laneName(lane),
    position,
    earliest,
    latest,
    lag,
    halted,
    counts: checkpoint?.counts ?? null,
  };
}

function printStatus({ read_models, halted, parked, search }: StatusReport): void {
  const rows = read_models.map((model) => [
    model.read_model,
    model.documents,
    model.lag,
    model.lag_ms === null ? '-' : duration(model.lag_ms),
  ]);
  print(table(['read model', 'documents', 'lag', 'oldest waiting'], rows));
  const indexes = search.map(({ index, waiting, behind_ms, refused, fed }) => [
    index,
    waiting,
    behind_ms === null ? '-' : duration(behind_ms),
    refused,
    fed ? 'yes' : 'no',
  ]);
  print('');
  print(table(['search index', 'waiting', 'behind', 'refused', 'fed'], indexes));
  print('');
  print(parked === 0 ? 'No parked events.' : `${parked} parked events: see "catalog parked list".`);
  for (const { index, refused, refusals, filling, trouble } of search) {
    if (filling) print(`FILLING ${index}: /search is 503 until it has everything.`);
    if (trouble !== null) print(`NOT FED ${index}: ${trouble}`);
    for (const { document, reason } of refusals) print(`NOT SEARCHABLE ${document}: ${reason}`);
    if (refused > refusals.length)
      print(`... and ${number(refused - refusals.length)} more are not searchable.`);
  }
  for (const { explanation } of halted) print(`HALTED ${explanation}`);
}
