import { everyBuild } from '../../projecting/builds/builds-by-fold.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { traceSubject, type Trace } from '../../projecting/inspect/trace.ts';
import { commandOf } from '../command.ts';
import { argument, integer } from '../option-builders.ts';
import { counted } from '../../texts/english-amounts.ts';
import { note, print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { table, type Columns } from '../table.ts';

export const trace = commandOf('read', {
  takes: {
    subject: argument('<subject>', 'of the events: a slug, a category, a target of the monitor'),
    limit: integer('<n>', 'the newest events of each partition', [1, 100_000], 20),
  },
  run: async ({ parts, signal }, { subject, limit, json }) => {
    const { log, documents, decode, topicName } = parts;
    const builds = await everyBuild(parts);
    const projections = builds.flatMap(({ projection }) => projection ?? []);
    const live = new Set(builds.filter(({ isLive }) => isLive).map(({ build }) => build));
    for (const { build, projection } of builds)
      if (!projection) note(`Nothing is told of ${build}: this release does not have its fold.`);
    using progress = showProgress();
    const onProgress = (read: number, total: number): void => progress.update('records read', read, total);
    const given = { log, documents, projections, decode, topicName, signal, limit, onProgress };
    const report = await traceSubject(subject, given);
    if (json) printJson(report);
    else printTrace(report, builds.length > live.size);
    const { events } = report;
    const isBad = ({ outcome, read_model }: (typeof events)[number]): boolean =>
      live.has(read_model) && (outcome === 'parked' || outcome === 'missing');
    return events.length === 0 || events.some(isBad) ? 1 : 0;
  },
});

function printTrace({ subject, events, older, unreadable, search }: Trace, hasBuilds: boolean): void {
  if (events.length === 0) print(`The log holds no event about ${subject}.`);
  else print(table(hasBuilds ? { ...COLUMNS, build: 'read_model' } : COLUMNS, events));
  if (older > 0) print(`... and ${counted(older, 'older one')}: raise --limit.`);
  for (const line of doubts(events, unreadable)) print(line);
  for (const { document, state } of search) print(`${document} in search: ${state}`);
}

const COLUMNS: Columns<Trace['events'][number]> = {
  recorded: 'recorded_at',
  type: 'type',
  event: 'id',
  source: 'source',
  outcome: ({ outcome, reason, superseded_by: by }) =>
    reason !== null ? `${outcome}: ${reason}` : by !== null ? `${outcome} by ${by}` : outcome,
};

/** What makes the answer less than certain. */
function* doubts(events: Trace['events'], unreadable: number): Generator<string> {
  // Each read model that is made of its topic tells of an event.
  const withoutKey = events.filter(({ key }) => key === null).map(placeOf);
  const keyless = new Set(withoutKey).size;
  if (keyless > 0) {
    const isOne = keyless === 1;
    yield `${counted(keyless, 'of them', 'of them')} ${isOne ? 'has' : 'have'} no key: give every record its subject as the key. Without it, records about one subject stand in several partitions, and their order is lost; the higher revision still wins.`;
  }
  if (unreadable > 0) {
    yield `${counted(unreadable, 'record')} without a key ${unreadable === 1 ? 'names' : 'name'} no subject that could be read: see "${commandLine('parked list')}".`;
  }
}

function placeOf({ topic, partition, position }: Trace['events'][number]): string {
  return `${topic}/${partition}/${position}`;
}
