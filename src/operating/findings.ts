import { commandLine } from '../platform/command-line.ts';
import type { LaneStatus, ReadModelStatus, StatusReport } from './status.ts';
import { parseBuildName } from '../stores/builds.ts';
import { counted, duration, number } from '../platform/amounts.ts';

/** Something that is late, stuck or waiting. */
export interface Finding {
  /** A `problem` needs a hand, and makes the exit code 1; a `note` passes by itself, or is somebody else's. */
  readonly severity: 'problem' | 'note';
  /** What scripts tell findings apart by. */
  readonly code:
    | 'halted'
    | 'never_projected'
    | 'not_projected'
    | 'no_owner'
    | 'paused'
    | 'not_claimed'
    | 'not_ready'
    | 'never_complete'
    | 'not_fed'
    | 'waits_for_transaction'
    | 'filling'
    | 'not_searchable'
    | 'not_announced'
    | 'upgrade_ready'
    | 'unknown_fold';
  /** The lane, the read model, the index or the document. */
  readonly subject: string;
  /** One line: why, and what to do. */
  readonly message: string;
}

/** What passes by itself is given so long before it is a problem, in milliseconds. */
const LONG_MS = 60_000;
/** An index that has not been up to date for so long does not get there by itself, in milliseconds. */
const STUCK_MS = 900_000;

const START = `Start one: "npm start", or "${commandLine('project')}".`;

/**
 * Pure: everything that needs a hand, or explains why something waits. Problems come first. What concerns only a build
 * that readers do not see is no problem.
 */
export function findingsOf(report: Omit<StatusReport, 'findings'>): readonly Finding[] {
  const found = [
    ...ofReadModels(report),
    ...ofLanes(report),
    ...ofWorkers(report),
    ...ofSearch(report),
    ...ofRejections(report),
    ...ofBuilds(report),
  ].map((finding) => (isOfBeside(finding, report) ? { ...finding, severity: 'note' as const } : finding));
  return [
    ...found.filter(({ severity }) => severity === 'problem'),
    ...found.filter(({ severity }) => severity === 'note'),
  ];
}

type Found = (code: Finding['code'], subject: string, message: string) => Finding;
const problem: Found = (code, subject, message) => ({ severity: 'problem', code, subject, message });
const note: Found = (code, subject, message) => ({ severity: 'note', code, subject, message });

/** `1 record waits`, `3 records wait` */
function waiting(many: number, what: string): string {
  return `${counted(many, what)} ${many === 1 ? 'waits' : 'wait'}`;
}

function isOfBeside({ subject }: Finding, { read_models }: Pick<StatusReport, 'read_models'>): boolean {
  return read_models.some(
    (one) => isBeside(one) && (subject === one.read_model || subject.startsWith(`${one.read_model}/`)),
  );
}

/** Whether readers see another build of it. */
function isBeside({ read_model, live }: Pick<ReadModelStatus, 'read_model' | 'live'>): boolean {
  return live !== null && live !== read_model;
}

function isOf(readModel: string): (lane: LaneStatus) => boolean {
  return ({ lane }) => lane.startsWith(`${readModel}/`);
}

function* ofReadModels({ read_models, lanes, workers }: Omit<StatusReport, 'findings'>): Generator<Finding> {
  if (workers.length === 0 && lanes.every(({ owner }) => owner === null)) {
    const hint = `${START} Or set CATALOG_DATA to the folder that is meant.`;
    yield problem('never_projected', 'all read models', `nobody has ever projected here. ${hint}`);
    return;
  }
  for (const model of read_models) {
    const { read_model, lag, heard_of_at, completed_at } = model;
    const isAlone = lanes.filter(isOf(read_model)).every(({ live }) => live === null);
    if (isAlone && lag > 0) {
      const why = `no projector has been heard of since ${heard_of_at ?? 'ever'}`;
      yield problem('not_projected', read_model, `${waiting(lag, 'record')}, and ${why}. ${START}`);
    }
    if (completed_at === null) {
      const how = isAlone ? START : `A projector is at it: ${counted(lag, 'record')} to go, then its index.`;
      const what = isBeside(model)
        ? 'it has not caught up with the log yet: readers see the live build until it is made live.'
        : 'it has not caught up with the log yet, so the API is not ready.';
      yield problem('never_complete', read_model, `${what} ${how}`);
    }
  }
}

function* ofLanes({ read_models, lanes, halted }: Omit<StatusReport, 'findings'>): Generator<Finding> {
  for (const { lane, explanation } of halted) yield problem('halted', lane, withoutName(explanation, lane));
  const hasHalted = new Set(halted.map(({ lane }) => lane));
  for (const { read_model } of read_models) {
    const own = lanes.filter(isOf(read_model));
    const isShared = own.some(({ live }) => live !== null);
    for (const lane of own) if (!hasHalted.has(lane.lane)) yield* ofLane(lane, isShared);
  }
}

/** `isShared`: the read model has a live projector, so that a lane without one stands out. */
function* ofLane(
  { lane, lag, live, waits_for_transaction }: LaneStatus,
  isShared: boolean,
): Generator<Finding> {
  if (live === null) {
    if (isShared && lag > 0)
      yield problem(
        'no_owner',
        lane,
        `${waiting(lag, 'record')}, and no live projector has this lane. Wait half a minute for the log to assign it; then restart the projectors one by one.`,
      );
    return;
  }
  const { state, for_ms, reason, where } = live;
  const report = for_ms >= LONG_MS ? problem : note;
  const why = reason ?? 'no reason is known yet';
  const said = `by ${where} for ${duration(for_ms)}: ${why}. It is tried again by itself.`;
  if (state === 'paused') yield report('paused', lane, `paused ${said}`);
  if (state === 'claiming') yield report('not_claimed', lane, `not claimed yet ${said}`);
  if (waits_for_transaction)
    yield note(
      'waits_for_transaction',
      lane,
      `${waiting(lag, 'record')} for an open transaction of their publisher: the log hands them out once it is committed or aborted.`,
    );
}

function* ofWorkers({ workers, halted }: Omit<StatusReport, 'findings'>): Generator<Finding> {
  for (const { where, ready, detail } of workers) {
    // Halts have been told lane by lane.
    if (!ready && !(halted.length > 0 && detail.startsWith('halted')))
      yield problem('not_ready', `projector ${where}`, detail);
  }
}

function* ofSearch({ search, workers }: Omit<StatusReport, 'findings'>): Generator<Finding> {
  for (const { index, waiting: unfed, refused, refusals, fed, filling, trouble, behind_ms } of search) {
    if (trouble !== null) yield problem('not_fed', index, trouble);
    else if (!fed && (unfed > 0 || filling)) {
      const why =
        workers.length === 0 ? 'no projector is running, and projectors feed it' : 'no projector feeds it';
      yield problem('not_fed', index, `${waiting(unfed, 'document')}: ${why}.`);
    } else if (behind_ms !== null && behind_ms >= STUCK_MS)
      yield problem('not_fed', index, `it has been behind for ${duration(behind_ms)}.`);
    if (filling) yield note('filling', index, '/search is 503 until it has everything.');
    for (const { document, reason } of refusals) yield note('not_searchable', document, reason);
    if (refused > refusals.length)
      yield note('not_searchable', index, `${number(refused - refusals.length)} more are not searchable.`);
  }
}

function* ofRejections({ rejections: { trouble } }: Omit<StatusReport, 'findings'>): Generator<Finding> {
  if (trouble === null) return;
  const hint = 'Where that is meant, set CATALOG_REJECTIONS=off.';
  yield note(
    'not_announced',
    'rejections',
    `refused events are parked, and upstream is not told: ${trouble} ${hint}`,
  );
}

function* ofBuilds({ read_models }: Pick<StatusReport, 'read_models'>): Generator<Finding> {
  for (const model of read_models) {
    const { read_model, live, pinned, completed_at, folded } = model;
    if (!folded)
      yield note(
        'unknown_fold',
        read_model,
        `this release does not have its fold: only the release that made it can verify or redrive it.`,
      );
    if (!isBeside(model) || completed_at === null || pinned || !isUpgrade(read_model, live ?? '')) continue;
    const name = parseBuildName(read_model)?.name ?? read_model;
    const command = commandLine(`cut-over ${name} --to ${read_model}`);
    yield note('upgrade_ready', read_model, `it has caught up with the log: "${command}" makes it live.`);
  }
}

function isUpgrade(build: string, live: string): boolean {
  return (parseBuildName(build)?.version ?? 0) > (parseBuildName(live)?.version ?? 0);
}

function withoutName(explanation: string, lane: string): string {
  return explanation.startsWith(`${lane}: `) ? explanation.slice(lane.length + 2) : explanation;
}
