import type { Halt } from '../projecting/engine/lane.ts';
import { parseBuildName } from '../stores/builds.ts';
import type { LaneStatus, ReadModelStatus, StatusReport } from './status.ts';

/** Something that is late, stuck or waiting: facts alone. `words/finding-words.ts` says them in a language. */
export type Finding = {
  /** A `problem` needs a hand, and makes the exit code 1; a `note` passes by itself, or is somebody else's. */
  readonly severity: 'problem' | 'note';
  /** The lane, the read model, the index or the document. */
  readonly subject: string;
} & Cause;

/** `code` is what scripts tell findings apart by. Reasons, details and troubles are the words of a program, in English. */
export type Cause =
  /** `halt` is null where the worker alone knows of it; then `reason` says it. */
  | { readonly code: 'halted'; readonly halt: Halt | null; readonly reason: string | null }
  /** `no_projector`: and no event waits for one yet. */
  | { readonly code: 'never_projected' | 'no_projector' }
  | { readonly code: 'not_projected'; readonly waiting: number; readonly heard_of_at: string | null }
  | { readonly code: 'no_owner' | 'waits_for_transaction'; readonly waiting: number }
  | {
      readonly code: 'paused' | 'not_claimed';
      /** `host:pid` */
      readonly where: string;
      readonly for_ms: number;
      readonly reason: string | null;
    }
  | { readonly code: 'not_ready'; readonly where: string; readonly detail: string }
  | {
      readonly code: 'never_complete';
      readonly waiting: number;
      /** Readers see another build meanwhile. */
      readonly is_beside: boolean;
      readonly has_projector: boolean;
    }
  | ({ readonly code: 'not_fed' } & Unfed)
  | { readonly code: 'filling' | 'unknown_fold' }
  /** `more`: so many, beside those that are named. */
  | { readonly code: 'not_searchable'; readonly reason: string | null; readonly more: number }
  | { readonly code: 'not_announced'; readonly trouble: string }
  | { readonly code: 'upgrade_ready'; readonly name: string }
  | { readonly code: 'verification_due' }
  /** Of all builds. */
  | { readonly code: 'parked'; readonly count: number };

type Unfed =
  | { readonly why: 'trouble'; readonly trouble: string }
  | { readonly why: 'no_projector' | 'no_feeder'; readonly waiting: number }
  | { readonly why: 'behind'; readonly behind_ms: number };

/** What passes by itself is given so long before it is a problem, in milliseconds. */
const LONG_MS = 60_000;
/** An index that has not been up to date for so long does not get there by itself, in milliseconds. */
const STUCK_MS = 900_000;

/**
 * Pure: everything that needs a hand, or explains why something waits. Problems come first. What concerns only a build
 * that readers do not see is no problem.
 */
export function findingsOf(report: Omit<StatusReport, 'findings'>): readonly Finding[] {
  const found = [
    ...ofRestore(report),
    ...ofReadModels(report),
    ...ofLanes(report),
    ...ofWorkers(report),
    ...ofSearch(report),
    ...ofRejections(report),
    ...ofBuilds(report),
    ...ofParked(report),
  ].map((finding) => (isOfBeside(finding, report) ? { ...finding, severity: 'note' as const } : finding));
  return [
    ...found.filter(({ severity }) => severity === 'problem'),
    ...found.filter(({ severity }) => severity === 'note'),
  ];
}

function problem(subject: string, cause: Cause): Finding {
  return { severity: 'problem', subject, ...cause };
}

function note(subject: string, cause: Cause): Finding {
  return { severity: 'note', subject, ...cause };
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
    yield problem('all read models', { code: 'never_projected' });
    return;
  }
  if (workers.length === 0 && lanes.every(({ lag }) => lag === 0))
    yield note('all read models', { code: 'no_projector' });
  for (const model of read_models) {
    const { read_model, lag: waiting, heard_of_at, completed_at } = model;
    const isAlone = lanes.filter(isOf(read_model)).every(({ live }) => live === null);
    if (isAlone && waiting > 0) yield problem(read_model, { code: 'not_projected', waiting, heard_of_at });
    if (completed_at === null)
      yield problem(read_model, {
        code: 'never_complete',
        waiting,
        is_beside: isBeside(model),
        has_projector: !isAlone,
      });
  }
}

function* ofLanes({ read_models, lanes, halted }: Omit<StatusReport, 'findings'>): Generator<Finding> {
  for (const { lane, halt, explanation } of halted)
    yield problem(lane, {
      code: 'halted',
      halt,
      reason: halt === null ? withoutName(explanation, lane) : null,
    });
  const hasHalted = new Set(halted.map(({ lane }) => lane));
  for (const { read_model } of read_models) {
    const own = lanes.filter(isOf(read_model));
    const isShared = own.some(({ live }) => live !== null);
    for (const lane of own) if (!hasHalted.has(lane.lane)) yield* ofLane(lane, isShared);
  }
}

/** `isShared`: the read model has a live projector, so that a lane without one stands out. */
function* ofLane(
  { lane, lag: waiting, live, waits_for_transaction }: LaneStatus,
  isShared: boolean,
): Generator<Finding> {
  if (live === null) {
    if (isShared && waiting > 0) yield problem(lane, { code: 'no_owner', waiting });
    return;
  }
  const { state, for_ms, reason, where } = live;
  const report = for_ms >= LONG_MS ? problem : note;
  if (state === 'paused') yield report(lane, { code: 'paused', where, for_ms, reason });
  if (state === 'claiming') yield report(lane, { code: 'not_claimed', where, for_ms, reason });
  if (waits_for_transaction) yield note(lane, { code: 'waits_for_transaction', waiting });
}

function* ofWorkers({ workers, halted }: Omit<StatusReport, 'findings'>): Generator<Finding> {
  for (const { where, ready, detail } of workers) {
    // Halts have been told lane by lane.
    if (!ready && !(halted.length > 0 && detail.startsWith('halted')))
      yield problem(`projector ${where}`, { code: 'not_ready', where, detail });
  }
}

function* ofSearch({ search, workers }: Omit<StatusReport, 'findings'>): Generator<Finding> {
  for (const { index, waiting, refused, refusals, fed, filling, trouble, behind_ms } of search) {
    if (trouble !== null) yield problem(index, { code: 'not_fed', why: 'trouble', trouble });
    else if (!fed && (waiting > 0 || filling)) {
      const why = workers.length === 0 ? 'no_projector' : 'no_feeder';
      yield problem(index, { code: 'not_fed', why, waiting });
    } else if (behind_ms !== null && behind_ms >= STUCK_MS)
      yield problem(index, { code: 'not_fed', why: 'behind', behind_ms });
    if (filling) yield note(index, { code: 'filling' });
    for (const { document, reason } of refusals)
      yield note(document, { code: 'not_searchable', reason, more: 0 });
    if (refused > refusals.length)
      yield note(index, { code: 'not_searchable', reason: null, more: refused - refusals.length });
  }
}

function* ofRejections({ rejections: { trouble } }: Omit<StatusReport, 'findings'>): Generator<Finding> {
  if (trouble !== null) yield note('rejections', { code: 'not_announced', trouble });
}

function* ofBuilds({ read_models }: Pick<StatusReport, 'read_models'>): Generator<Finding> {
  for (const model of read_models) {
    const { read_model, live, pinned, completed_at, folded } = model;
    if (!folded) yield note(read_model, { code: 'unknown_fold' });
    if (!isBeside(model) || completed_at === null || pinned || !isUpgrade(read_model, live ?? '')) continue;
    const name = parseBuildName(read_model)?.name ?? read_model;
    yield note(read_model, { code: 'upgrade_ready', name });
  }
}

function* ofRestore({ verification_due }: Pick<StatusReport, 'verification_due'>): Generator<Finding> {
  if (verification_due) yield problem('documents', { code: 'verification_due' });
}

function* ofParked({ parked: count }: Pick<StatusReport, 'parked'>): Generator<Finding> {
  if (count > 0) yield note('events', { code: 'parked', count });
}

function isUpgrade(build: string, live: string): boolean {
  return (parseBuildName(build)?.version ?? 0) > (parseBuildName(live)?.version ?? 0);
}

function withoutName(explanation: string, lane: string): string {
  return explanation.startsWith(`${lane}: `) ? explanation.slice(lane.length + 2) : explanation;
}
