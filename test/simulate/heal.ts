import { CHECKPOINTS, laneName, type Checkpoint } from '../../src/projecting/lane.ts';
import { verifyProjection } from '../../src/projecting/verify.ts';
import { NOTES_AND_MARKS } from './notes-and-marks.ts';
import { require } from './promises.ts';
import { bodyOf } from './simulated-documents.ts';
import { partitionsOf } from './simulated-log.ts';
import { failIfBroken, LANES, partsOf, start, stop, type Stage } from './stage.ts';
import { createWorker } from './worker.ts';

/** A replaced worker waits 30 s, a retry up to 10 s; the rest is for the backlog. Simulated milliseconds. */
const WITHIN_MS = 60_000;

/** Nothing fails any more. Whatever was stopping stops, one worker is left, and it catches up. */
export async function heal(stage: Stage): Promise<void> {
  const { world, log, actors, broken } = stage;
  world.faults = 0;
  for (const { worker } of actors) worker.pausedUntil = 0;
  const last = actors.find(({ worker, stopping }) => !worker.isDead && !stopping) ?? start(stage);
  const others = actors.filter((actor) => actor !== last && !actor.worker.isDead);
  await finish(stage, Promise.all(others.map((actor) => stop(stage, actor))), 'the others stop');
  const member = () => [...log.members].find(({ worker }) => worker === last.worker);
  require(await world.until(() => member() !== undefined, WITHIN_MS), 'recovery: nobody joins');
  for (const lane of LANES) member()?.assign(lane.topic, lane.partition);
  await world.until(() => broken.length > 0 || lag(stage) === 0, WITHIN_MS);
  failIfBroken(stage);
  require(lag(stage) === 0, `recovery: the lag stays at ${lag(stage)}`);
  await requireVerified(stage);
  await finish(stage, stop(stage, last), 'the last worker stops');
}

function lag({ log, documents }: Stage): number {
  return LANES.reduce((sum, lane) => {
    const checkpoint = bodyOf(documents, CHECKPOINTS.name, laneName(lane)) as Checkpoint | undefined;
    require(!checkpoint?.halted, `recovery: halted: ${JSON.stringify(checkpoint?.halted)}`);
    const latest = partitionsOf(log, lane.topic)[lane.partition]?.length ?? 0;
    return sum + latest - (checkpoint?.position ?? 0);
  }, 0);
}

async function requireVerified(stage: Stage): Promise<void> {
  const parts = partsOf({ ...stage, planted: {} }, createWorker(stage.world, 'verifier'));
  const signal = new AbortController().signal;
  const { ok, findings } = await finish(
    stage,
    verifyProjection(NOTES_AND_MARKS, { ...parts, signal }),
    'verification ends',
  );
  require(ok, `verification finds ${JSON.stringify(findings)}`);
}

/** Steps until the work has ended, and returns what it returned. */
async function finish<T>(stage: Stage, work: Promise<T>, what: string): Promise<T> {
  let ended = false;
  const done = work.finally(() => (ended = true));
  done.catch(() => undefined);
  const isOver = await stage.world.until(() => ended || stage.broken.length > 0, WITHIN_MS);
  failIfBroken(stage);
  require(isOver, `recovery: it does not come to pass that ${what}`);
  return done;
}
