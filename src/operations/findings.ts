import { note, problem, type Finding } from '../findings/finding.ts';
import { instantAt, unixMs, type Instant } from '../platform/time/instant.ts';
import { findingsOfLane } from '../projecting/health/judge-lanes.ts';
import { parseBuildName } from '../stores/build-names.ts';
import type { Facts, LaneStatus, ReadModelStatus } from './status.ts';

/** An index that has not been up to date for so long does not get there by itself, in milliseconds. */
const STUCK_MS = 900_000;

/**
 * Pure: everything that needs a hand, or explains why something waits. Problems come first. What concerns only a build
 * that readers do not see is no problem. Where nobody could look at the log, the facts have no lanes.
 */
export function findingsOf(facts: Facts): readonly Finding[] {
  const beside = new Set(facts.read_models.filter(isBeside).map(({ read_model }) => read_model));
  const judged = (finding: Finding): Finding => {
    const [build = ''] = finding.subject.split('/');
    const { severity, since } = finding;
    return {
      ...finding,
      severity: beside.has(build) ? 'note' : severity,
      // What was said before the store's clock was put back is no later than now.
      since: since !== null && since > facts.at ? facts.at : since,
    };
  };
  const ofDocumentsAndModels = [...ofDocuments(facts), ...ofReadModels(facts)].map(judged);
  const lanes = [...ofLanes(facts)].map(judged);
  const others = [...ofWorkers(facts, lanes), ...ofSearch(facts), ...ofBuilds(facts), ...ofEvents(facts)];
  return [...ofDocumentsAndModels, ...lanes, ...others.map(judged)].toSorted(
    (a, b) => Number(a.severity === 'note') - Number(b.severity === 'note'),
  );
}

/** Since when what is so old, in milliseconds, by the clock of the report. */
function sinceOf(ms: number | null, { at }: Facts): Instant | null {
  return ms === null ? null : instantAt(unixMs(at) - ms);
}

/** Whether readers see another build of it. */
function isBeside({ read_model, live }: Pick<ReadModelStatus, 'read_model' | 'live'>): boolean {
  return live !== null && live !== read_model;
}

function isOf(readModel: string): (lane: LaneStatus) => boolean {
  return ({ lane }) => lane.startsWith(`${readModel}/`);
}

function* ofDocuments({ verification_due, differs_since }: Facts): Generator<Finding> {
  if (verification_due) yield problem('documents', null, { code: 'verification_due' });
  if (differs_since !== null) yield problem('documents', differs_since, { code: 'differs' });
}

function* ofReadModels(facts: Facts): Generator<Finding> {
  const { read_models, lanes, workers } = facts;
  const all = 'all read models';
  const heard = read_models.flatMap(({ heard_of_at }) => heard_of_at ?? []).toSorted();
  if (workers.length === 0 && heard.length === 0 && lanes.every(({ owner }) => owner === null))
    return yield problem(all, null, { code: 'never_projected' });
  if (workers.length === 0 && lanes.every(({ lag }) => lag === 0))
    yield note(all, heard.at(-1) ?? null, { code: 'no_projector' });
  for (const model of read_models) {
    const { read_model, lag: waiting, heard_of_at, completed_at, began_at } = model;
    const isAlone = lanes.filter(isOf(read_model)).every(({ live }) => live === null);
    if (isAlone && waiting > 0) yield problem(read_model, heard_of_at, { code: 'not_projected', waiting });
    if (completed_at === null)
      yield problem(read_model, began_at, { code: 'never_complete', is_beside: isBeside(model) });
  }
}

function* ofLanes(facts: Facts): Generator<Finding> {
  const now = unixMs(facts.at);
  for (const { read_model } of facts.read_models) {
    const own = facts.lanes.filter(isOf(read_model));
    const isShared = own.some(({ live }) => live !== null);
    for (const status of own) {
      const { lane, halted, live, lag: waiting, waits_for_transaction: waitsForTransaction } = status;
      // Where others of its read model have a live projector, a lane without one stands out.
      if (live === null && halted === null && isShared && waiting > 0)
        yield problem(lane, sinceOf(status.lag_ms, facts), { code: 'no_owner', waiting });
      const word = live && { ...live, since: now - live.for_ms };
      yield* findingsOfLane({ lane, halted, live: word, waiting, waitsForTransaction }, now);
    }
  }
}

/** A projector is told of where none of its lanes says why it is not ready. */
function ofWorkers({ workers, lanes }: Facts, ofItsLanes: readonly Finding[]): readonly Finding[] {
  const told = new Set(
    ofItsLanes.filter(({ severity }) => severity === 'problem').map(({ subject }) => subject),
  );
  const explained = new Set(lanes.flatMap(({ lane, live }) => (live && told.has(lane) ? [live.where] : [])));
  return workers.flatMap(({ where, ready, detail }) =>
    ready || explained.has(where) ? [] : [problem(where, null, { code: 'not_ready', detail })],
  );
}

function* ofSearch(facts: Facts): Generator<Finding> {
  for (const index of facts.search) {
    const { index: name, waiting, refused, refusals, fed, filling, trouble, behind_ms } = index;
    const since = sinceOf(behind_ms, facts);
    if (trouble !== null) yield problem(name, since, { code: 'not_fed', why: 'trouble', trouble });
    else if (!fed && (waiting > 0 || filling)) {
      const why = facts.workers.length === 0 ? 'no_projector' : 'no_feeder';
      yield problem(name, since, { code: 'not_fed', why, documents: waiting });
    } else if (behind_ms !== null && behind_ms >= STUCK_MS)
      yield problem(name, since, { code: 'not_fed', why: 'behind' });
    if (filling) yield note(name, since, { code: 'filling' });
    for (const { document, reason } of refusals)
      yield note(document, null, { code: 'not_searchable', reason, more: 0 });
    if (refused > refusals.length)
      yield note(name, null, { code: 'not_searchable', reason: null, more: refused - refusals.length });
  }
}

function* ofBuilds({ read_models }: Facts): Generator<Finding> {
  for (const model of read_models) {
    const { read_model, live, pinned, completed_at, folded } = model;
    if (!folded) yield note(read_model, null, { code: 'unknown_fold' });
    if (!isBeside(model) || completed_at === null || pinned) continue;
    const [own, other] = [parseBuildName(read_model), parseBuildName(live ?? '')];
    if (own && other && own.version > other.version)
      yield note(read_model, completed_at, { code: 'upgrade_ready', name: own.name });
  }
}

function* ofEvents({ rejections: { trouble }, parked, parked_since }: Facts): Generator<Finding> {
  if (trouble !== null) yield note('rejections', null, { code: 'not_announced', trouble });
  if (parked > 0) yield note('events', parked_since, { code: 'parked', parked });
}
