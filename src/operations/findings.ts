import type { Halt } from '../projecting/engine/lane.ts';
import { parseBuildName } from '../stores/builds.ts';
import type { LaneStatus, ReadModelStatus, StatusReport } from './status.ts';

/**
 * Something that is late, stuck or waiting: facts alone. It is found here, once, and told by `status`, `doctor` and the operator
 * page; `texts/` says it in a language.
 */
export type Finding = {
  /** A `problem` needs a hand, and makes the exit code 1; a `note` passes by itself, or is somebody else's. */
  readonly severity: 'problem' | 'note';
  /** The lane, the read model, the index, the document or the projector (`host:pid`). */
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
  | { readonly code: 'not_ready'; readonly detail: string }
  | {
      readonly code: 'never_complete';
      readonly waiting: number;
      /** Readers see another build meanwhile. */
      readonly is_beside: boolean;
      readonly has_projector: boolean;
    }
  | { readonly code: 'not_fed'; readonly why: 'trouble'; readonly trouble: string }
  | { readonly code: 'not_fed'; readonly why: 'no_projector' | 'no_feeder'; readonly documents: number }
  | { readonly code: 'not_fed'; readonly why: 'behind'; readonly behind_ms: number }
  | { readonly code: 'filling' | 'unknown_fold' | 'verification_due' }
  /** `more`: so many, beside those that are named. */
  | { readonly code: 'not_searchable'; readonly reason: string | null; readonly more: number }
  | { readonly code: 'not_announced'; readonly trouble: string }
  | { readonly code: 'upgrade_ready'; readonly name: string }
  /** Of all builds. */
  | { readonly code: 'parked'; readonly parked: number };

/** What findings are made of. */
export type Facts = Omit<StatusReport, 'findings'>;

/** What passes by itself is given so long before it is a problem, in milliseconds. */
const LONG_MS = 60_000;
/** An index that has not been up to date for so long does not get there by itself, in milliseconds. */
const STUCK_MS = 900_000;

/**
 * Pure: everything that needs a hand, or explains why something waits. Problems come first. What concerns only a build
 * that readers do not see is no problem. `seesLog`: false where the facts have no lanes, because nobody could look at them.
 */
export function findingsOf(facts: Facts, seesLog = true): readonly Finding[] {
  const ofLog = seesLog ? [...ofReadModels(facts), ...ofLanes(facts), ...ofWorkers(facts)] : [];
  const found = [...ofRestore(facts), ...ofLog, ...ofSearch(facts), ...ofBuilds(facts), ...ofEvents(facts)];
  const beside = new Set(facts.read_models.filter(isBeside).map(({ read_model }) => read_model));
  return found
    .map((finding) => {
      const [build = ''] = finding.subject.split('/');
      return beside.has(build) ? { ...finding, severity: 'note' as const } : finding;
    })
    .toSorted((a, b) => Number(a.severity === 'note') - Number(b.severity === 'note'));
}

function problem(subject: string, cause: Cause): Finding {
  return { severity: 'problem', subject, ...cause };
}

function note(subject: string, cause: Cause): Finding {
  return { severity: 'note', subject, ...cause };
}

/** Whether readers see another build of it. */
function isBeside({ read_model, live }: Pick<ReadModelStatus, 'read_model' | 'live'>): boolean {
  return live !== null && live !== read_model;
}

function isOf(readModel: string): (lane: LaneStatus) => boolean {
  return ({ lane }) => lane.startsWith(`${readModel}/`);
}

function* ofRestore({ verification_due }: Facts): Generator<Finding> {
  if (verification_due) yield problem('documents', { code: 'verification_due' });
}

function* ofReadModels({ read_models, lanes, workers }: Facts): Generator<Finding> {
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

function* ofLanes({ read_models, lanes }: Facts): Generator<Finding> {
  for (const { lane, halted: halt, live } of lanes.filter(hasHalted))
    yield problem(lane, { code: 'halted', halt, reason: halt === null ? reasonOf(live, lane) : null });
  for (const { read_model } of read_models) {
    const own = lanes.filter(isOf(read_model));
    const isShared = own.some(({ live }) => live !== null);
    for (const lane of own) if (!hasHalted(lane)) yield* ofLane(lane, isShared);
  }
}

/** A halt stands in the checkpoint, or is known to the worker alone: the store may have been down when it halted. */
function hasHalted({ halted, live }: LaneStatus): boolean {
  return halted !== null || live?.state === 'halted';
}

function reasonOf(live: LaneStatus['live'], lane: string): string | null {
  const reason = live?.reason ?? null;
  return reason?.startsWith(`${lane}: `) ? reason.slice(lane.length + 2) : reason;
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

function* ofWorkers({ workers, lanes }: Facts): Generator<Finding> {
  const isTold = lanes.some(hasHalted);
  for (const { where, ready, detail } of workers)
    if (!ready && !(isTold && detail.startsWith('halted')))
      yield problem(where, { code: 'not_ready', detail });
}

function* ofSearch({ search, workers }: Facts): Generator<Finding> {
  for (const { index, waiting, refused, refusals, fed, filling, trouble, behind_ms } of search) {
    if (trouble !== null) yield problem(index, { code: 'not_fed', why: 'trouble', trouble });
    else if (!fed && (waiting > 0 || filling)) {
      const why = workers.length === 0 ? 'no_projector' : 'no_feeder';
      yield problem(index, { code: 'not_fed', why, documents: waiting });
    } else if (behind_ms !== null && behind_ms >= STUCK_MS)
      yield problem(index, { code: 'not_fed', why: 'behind', behind_ms });
    if (filling) yield note(index, { code: 'filling' });
    for (const { document, reason } of refusals)
      yield note(document, { code: 'not_searchable', reason, more: 0 });
    if (refused > refusals.length)
      yield note(index, { code: 'not_searchable', reason: null, more: refused - refusals.length });
  }
}

function* ofBuilds({ read_models }: Facts): Generator<Finding> {
  for (const model of read_models) {
    const { read_model, live, pinned, completed_at, folded } = model;
    if (!folded) yield note(read_model, { code: 'unknown_fold' });
    if (!isBeside(model) || completed_at === null || pinned) continue;
    const [own, other] = [parseBuildName(read_model), parseBuildName(live ?? '')];
    if (own && other && own.version > other.version)
      yield note(read_model, { code: 'upgrade_ready', name: own.name });
  }
}

function* ofEvents({ rejections: { trouble }, parked }: Facts): Generator<Finding> {
  if (trouble !== null) yield note('rejections', { code: 'not_announced', trouble });
  if (parked > 0) yield note('events', { code: 'parked', parked });
}
