import { CHECKPOINTS, laneName, type Checkpoint } from '../../src/projecting/engine/lane.ts';
import { PROBE } from '../../src/projecting/search/put-and-bisect.ts';
import { FEED_LEASES, type FeedLease } from '../../src/stores/feed-lease.ts';
import { verifyProjection } from '../../src/projecting/inspect/verify.ts';
import { verifySearch } from '../../src/projecting/inspect/search-verify.ts';
import { requireAnnounced } from './announced.ts';
import { aliasIn, buildsIn, liveIn, projectionOf } from './aliases.ts';
import { checkDropped, dropOthers, redriveInPeace, switchInPeace } from './builds-in-the-end.ts';
import { checkEnd, lanesOf, namedLanes, require } from './promises.ts';
import { replaceLog } from './replaced-log.ts';
import { publish } from './storm.ts';
import { unsettled } from './search-promises.ts';
import { bodyOf, connectDocuments } from './simulated-documents.ts';
import { partitionsOf } from './simulated-log.ts';
import { connectSearch } from './simulated-search.ts';
import {
  assignAll,
  BOUNDS,
  failIfBroken,
  finish,
  leasesOf,
  membersOf,
  partsOf,
  start,
  stop,
  type Actor,
  type Stage,
} from './stage.ts';
import { createWorker } from './worker.ts';

/** A retry waits up to 10 s, two workers that claimed a lane from each other up to 30 s; the rest is for the backlog.
 * Simulated milliseconds. */
const WITHIN_MS = 60_000;
/** The longest pause of a command, and some looks at it. */
const PAUSED_MS = 15_000;
/** The last late request, a sweep, a removal and its confirmation, each with a pause after a failure. */
const SEARCH_WITHIN_MS = BOUNDS.sweepMs + 2 * BOUNDS.confirmAfterMs + WITHIN_MS;
/** For requests in hand: a worker that is stopped meanwhile does not finish what fails. */
const CALM_MS = 5000;
/** How long nothing may disturb the one that has the partitions, and how often it is given something to do. */
const MINUTE_S = 60;
const PUBLISHED_EVERY_S = 6;
/** A wait for the next record, a late claim of another worker, and an answer of the group. Simulated milliseconds. */
const PROMPT_MS = 3000;

/** Nothing fails any more. What was stopping stops, one worker has all lanes, and it catches up. */
export async function heal(stage: Stage): Promise<void> {
  const { world, log, documents, actors, broken } = stage;
  world.faults = 0;
  stage.search.lateness = 0;
  log.hidden.clear();
  documents.namelessUntil = 0;
  documents.readOnlyUntil = 0;
  documents.unreplicated.clear();
  for (const { worker } of actors) worker.pausedUntil = 0;
  for (const { worker } of stage.operators) worker.isDead = true;
  if (stage.isBlind) await world.until(() => false, CALM_MS);
  const last = actors.find(({ worker, stopping }) => !worker.isDead && !stopping) ?? start(stage);
  const hasJoined = (): boolean =>
    buildsIn(documents).every((build) => membersOf(stage, last).some(({ group }) => group === build));
  require(await world.until(hasJoined, WITHIN_MS), 'recovery: nobody joins');
  // The others stay, without a partition: what they have begun must not disturb the one that has it now.
  for (const actor of actors) for (const member of membersOf(stage, actor)) member.revokeAll();
  assignAll(stage, last);
  // A command that was killed has left it, perhaps: until it runs out the lanes keep quiet, as they should.
  await world.until(() => broken.length > 0 || aliasIn(documents).pause === null, PAUSED_MS);
  failIfBroken(stage);
  require(aliasIn(documents).pause ===
    null, 'recovery: the pause of a command that was killed is never ended');
  await world.until(() => broken.length > 0 || lag(stage) === 0, WITHIN_MS);
  failIfBroken(stage);
  require(lag(stage) === 0, `recovery: the lag stays at ${lag(stage)}`);
  await requireHeld(stage, last);
  const others = actors.filter((actor) => actor !== last && !actor.worker.isDead);
  await finish(stage, Promise.all(others.map((actor) => stop(stage, actor))), 'the others stop');
  await requireAnnounced(stage);
  if (stage.hasBuilds) {
    await switchInPeace(stage, last);
    await redriveInPeace(stage);
  }
  for (const build of buildsIn(documents)) {
    await requireFed(stage, build);
    await requireSealed(stage, build, last);
    await requireVerified(stage, build);
    checkEnd(log, documents, build);
  }
  await dropOthers(stage);
  await replaceLog(stage, last);
  checkDropped(stage);
}

function lag({ log, documents }: Stage): number {
  return buildsIn(documents)
    .flatMap(namedLanes)
    .reduce((sum, [name, lane]) => {
      const checkpoint = bodyOf(documents, CHECKPOINTS.name, name) as Checkpoint | undefined;
      if (checkpoint?.halted) require(false, `recovery: halted: ${JSON.stringify(checkpoint.halted)}`);
      const latest = partitionsOf(log, lane.topic)[lane.partition]?.length ?? 0;
      return sum + latest - (checkpoint?.position ?? 0);
    }, 0);
}

/** For a minute: what is published is consumed at once, by the one that has the partitions, and nothing is wrong. */
async function requireHeld(stage: Stage, last: Actor): Promise<void> {
  const { world, broken, documents } = stage;
  const { projector } = last;
  for (let second = 0; second < MINUTE_S; second += PUBLISHED_EVERY_S) {
    publish(stage);
    await world.until(() => broken.length > 0 || lag(stage) === 0, PROMPT_MS);
    failIfBroken(stage);
    require(lag(stage) ===
      0, `recovery: the lag is ${lag(stage)} after ${PROMPT_MS} ms, although nothing fails`);
    for (const lane of lanesOf(liveIn(documents))) {
      const { owner } = bodyOf(documents, CHECKPOINTS.name, laneName(lane)) as Checkpoint;
      // A claim that was on its way when the partition was taken away is noticed at the next write.
      const mayBeLate = second < 2 * PUBLISHED_EVERY_S;
      require(mayBeLate ||
        owner === projector.owner, `recovery: ${laneName(lane)} is claimed by another worker than has it`);
    }
    await world.until(() => broken.length > 0, 1000 * PUBLISHED_EVERY_S);
    failIfBroken(stage);
    for (const { lane, state, reason } of projector.lanes()) {
      const mayBeLate = second < 2 * PUBLISHED_EVERY_S;
      require(mayBeLate || state === 'running', `recovery: ${laneName(lane)} is ${state}: ${reason}`);
    }
    const { ok, detail } = last.health;
    require(ok, `health is honest: not ready, although nothing fails: ${detail}`);
  }
}

/** Every mark is gone but those of what is refused, and the index holds what the documents say. */
async function requireFed(
  { world, documents, search, isBlind, broken }: Stage,
  build: string,
): Promise<void> {
  // Nothing but a sweep takes it away where the engine did not answer.
  if (isBlind) for (const held of search.indexes.values()) held.delete(PROBE.id);
  let lookedAt = -1;
  await world.until(() => {
    if (broken.length > 0) return true;
    // Not after every step, but once in a simulated second.
    if (world.now() < lookedAt + 1000) return false;
    lookedAt = world.now();
    return world.isIdle(search.network) && unsettled(documents, search, build) === null;
  }, SEARCH_WITHIN_MS);
  const [first] = broken;
  if (first) throw first;
  const left = unsettled(documents, search, build);
  require(left === null, `the index is what the documents say: ${left}`);
}

/** The feeder that is left says of the index that it is complete, and the index has the seal that it names. */
async function requireSealed(
  { world, documents, search, broken }: Stage,
  build: string,
  { worker, isAlone }: Actor,
): Promise<void> {
  const leases = isAlone ? leasesOf(worker) : FEED_LEASES.name;
  const isSealed = (): boolean => {
    const seal = (bodyOf(documents, leases, build) as FeedLease | undefined)?.seal ?? null;
    return seal !== null && search.seals.get(build)?.has(seal) === true;
  };
  await world.until(() => broken.length > 0 || isSealed(), SEARCH_WITHIN_MS);
  require(isSealed(), 'recovery: the index is complete, and said to be being filled');
}

async function requireVerified(stage: Stage, build: string): Promise<void> {
  const worker = createWorker(stage.world, 'verifier');
  const parts = partsOf({ ...stage, planted: {} }, worker);
  const signal = new AbortController().signal;
  const { ok, findings } = await finish(
    stage,
    verifyProjection(projectionOf(build), { ...parts, signal }),
    'verification ends',
  );
  require(ok, `verification finds ${JSON.stringify(findings)}`);
  const fed = {
    documents: connectDocuments(stage.documents, worker),
    search: connectSearch(stage.search, worker),
  };
  const index = await finish(
    stage,
    verifySearch(projectionOf(build), { ...fed, signal }),
    'verification of search ends',
  );
  require(index.ok, `verification of search finds ${JSON.stringify(index.findings)}`);
}
