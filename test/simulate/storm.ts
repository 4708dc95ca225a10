import { createObserver } from './honest-health.ts';
import { arbitraryRecord } from './notes-and-marks.ts';
import { operate } from './operators.ts';
import { TOPICS, PARTITIONS } from './promises.ts';
import { appendRecord, partitionsOf } from './simulated-log.ts';
import { loseFromIndex } from './simulated-search.ts';
import { failIfBroken, start, stop, type Actor, type Stage } from './stage.ts';
import type { World } from './world.ts';

const WORKERS = 3;
const STEPS = 1000;
/** Longer than it takes until a log that seems to be another one is believed to be. Simulated milliseconds. */
const CERTAIN_MS = 10_000;

/** Everything fails: calls are refused, cut and left unanswered; workers are killed, paused, stopped and replaced; indexes are lost. */
export async function storm(stage: Stage): Promise<void> {
  const { world, actors } = stage;
  world.faults = world.pick([0.01, 0.05, 0.15]);
  stage.search.lateness = stage.isBlind ? 0 : 0.3;
  const observer = createObserver();
  for (let step = 0; step < STEPS; step += 1) {
    const working = actors.filter(({ worker, stopping }) => !worker.isDead && !stopping);
    if (working.length < WORKERS) start(stage);
    if (world.chance(0.05)) publish(stage);
    if (stage.hasBuilds && world.chance(0.004)) operate(stage);
    const [first, ...others] = working;
    if (first) disturb(stage, world.pick([first, ...others]));
    await world.step();
    observer.check(stage);
    failIfBroken(stage);
  }
}

/** A few records at once, so that workers have something to do at the same time. */
export function publish({ log, world, hasBuilds, release }: Stage): void {
  const revision = 1 + Math.floor(partitionsOf(log, 'notes').flat().length / 3);
  for (let left = 12 * world.random(); left > 0; left -= 1) {
    appendRecord(log, arbitraryRecord(world, revision, hasBuilds ? release : null), world.now());
  }
}

/** One of the things that befall a worker, or none. */
function disturb(stage: Stage, actor: Actor): void {
  const { world, log } = stage;
  const { worker } = actor;
  const act = drawAct(world);
  if (act === null || (stage.isBlind && MENDED_BY_SWEEPS.has(act))) return;
  const members = [...log.members].filter((member) => member.worker === worker);
  world.happen(act);
  switch (act) {
    case 'assigned':
      for (const member of members) member.assign(world.pick(TOPICS), world.pick(PARTITIONS));
      return;
    case 'revoked':
      for (const member of members) member.revokeAll();
      return;
    case 'killed':
      worker.isDead = true;
      return;
    case 'paused':
      worker.pausedUntil = world.now() + 60_000 * world.random();
      return;
    case 'stopped':
      void stop(stage, actor);
      return;
    case 'clock set':
      worker.wrongByMs = world.pick([0, -1, 1]) * 3_600_000 * 50 * world.random();
      return;
    case 'ends unknown':
      log.hidden.set(world.pick([...TOPICS, 'rejected']), {
        until: world.now() + 20_000 * world.random(),
        as: 'unknown',
      });
      return;
    case 'ends empty': {
      const topic = world.pick(TOPICS);
      const before = log.hidden.get(topic)?.until ?? Number.NEGATIVE_INFINITY;
      // Less than a certain reading takes: a broker that says so for longer is believed.
      if (before < world.now() - CERTAIN_MS)
        log.hidden.set(topic, { until: world.now() + 3000 * world.random(), as: 'empty' });
      return;
    }
    case 'store in trouble':
      stage.documents.namelessUntil = world.now() + world.pick([1000, 5000, 15_000]);
      return;
    case 'store read only':
      stage.documents.readOnlyUntil = world.now() + world.pick([1000, 5000, 15_000]);
      return;
    case 'index lost':
    case 'index emptied':
      loseFromIndex(stage.search, world, act);
      return;
  }
}

const ACTS = {
  assigned: 0.04,
  revoked: 0.005,
  killed: 0.003,
  paused: 0.005,
  stopped: 0.002,
  'clock set': 0.01,
  'ends unknown': 0.003,
  'ends empty': 0.003,
  'store in trouble': 0.002,
  'store read only': 0.001,
  'index lost': 0.001,
  'index emptied': 0.002,
};

const PROBABLE_ACTS = Object.entries(ACTS);

/** Faults after which nobody is left that knows what the index has not been told. */
const MENDED_BY_SWEEPS: ReadonlySet<string> = new Set(['killed', 'stopped', 'index lost', 'index emptied']);

function drawAct(world: World): keyof typeof ACTS | null {
  let left = world.random();
  for (const [act, probability] of PROBABLE_ACTS) {
    if (left < probability) return act as keyof typeof ACTS;
    left -= probability;
  }
  return null;
}
