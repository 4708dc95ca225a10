import { aliasIn, buildsIn, liveIn } from './aliases.ts';
import { operate, WRITING_ACTS } from './operators.ts';
import { PARTITIONS, TOPICS } from './promises.ts';
import { startReader } from './readers.ts';
import { failIfBroken, membersOf, start, type Actor, type Operator, type Stage } from './stage.ts';
import { publish } from './storm.ts';

/*
 * After the storm, in half of the runs: the group gives every lane to somebody, little fails, and builds are begun, made
 * live, given up and dropped by commands that may be killed, stopped for a while or cut off at any point.
 */

/** How long it lasts, in simulated milliseconds. */
const LASTS_MS = 30_000;
/** And how long commands are then left alone, so that most of them come to their end beside each other. */
const LEFT_ALONE_MS = 40_000;
const WORKERS = 2;
const OPERATORS = 2;
const OPERATORS_LEFT_ALONE = 3;
/** How often each of these comes, on an average, in a simulated second. */
const PUBLISHED = 2;
const COMMANDS = 1;
const KILLED = 0.02;
const OPERATORS_KILLED = 0.06;
/** Often: a command that goes on after its pause has run out is what pauses have to withstand. */
const OPERATORS_PAUSED = 0.2;
const SELDOM_PAUSED = 0.02;
const STOPPED = 0.02;
const MOVED = 0.1;
/** A stop that takes longer than a worker is believed to be there, now and then. Simulated milliseconds. */
const LONGEST_STOP_MS = 25_000;

export async function switching(stage: Stage): Promise<void> {
  const { world, documents, log } = stage;
  world.faults = world.pick([0.002, 0.01, 0.05]);
  world.slowness = world.pick([0, 0.03, 0.1]);
  documents.namelessUntil = 0;
  documents.readOnlyUntil = 0;
  log.hidden.clear();
  for (const { worker } of stage.actors) worker.pausedUntil = 0;
  const readers = ['reader 0', 'reader 1', 'reader 2'].map((name) => startReader(stage, name));
  let live = liveIn(documents);
  const leftAlone = world.now() + LASTS_MS;
  const end = leftAlone + LEFT_ALONE_MS;
  for (let at = world.now(); at < end;) {
    const isLeftAlone = at >= leftAlone;
    if (isLeftAlone) [world.faults, world.slowness] = [0.002, 0];
    const working = stage.actors.filter(isWorking);
    if (working.length < WORKERS) start(stage);
    assignWhatNobodyHas(stage, working);
    await world.step();
    const seconds = (world.now() - at) / 1000;
    at = world.now();
    const comes = (rate: number): boolean => seconds > 0 && world.chance(rate * seconds);
    if (comes(PUBLISHED)) publish(stage);
    const operators = stage.operators.filter(isAtWork);
    // Two at once are refused by each other: that is to happen, and not all the time.
    const mayBegin = aliasIn(documents).pause === null || world.chance(0.1);
    const most = isLeftAlone ? OPERATORS_LEFT_ALONE : OPERATORS;
    if (operators.length < most && comes(COMMANDS) && mayBegin) {
      operate(stage);
      if (isLeftAlone && world.chance(0.5)) operate(stage, WRITING_ACTS);
    }
    const paused = isLeftAlone ? SELDOM_PAUSED : OPERATORS_PAUSED;
    disturb(stage, { comes, working, operators, paused });
    if (live !== liveIn(documents)) stopAfterSwitch(stage, working);
    live = liveIn(documents);
    failIfBroken(stage);
  }
  world.slowness = 0;
  for (const reader of readers) reader.isDead = true;
}

function isWorking({ worker, stopping }: Actor): boolean {
  return !worker.isDead && !stopping;
}

export function isAtWork({ worker, isDone }: Operator): boolean {
  return !worker.isDead && !isDone;
}

/** A group hands out what its members do not have; a member that is stopped is one that it no longer hears. */
function assignWhatNobodyHas(stage: Stage, working: readonly Actor[]): void {
  const { world } = stage;
  const members = working
    .filter(({ worker }) => worker.pausedUntil <= world.now())
    .flatMap((actor) => membersOf(stage, actor));
  for (const build of buildsIn(stage.documents)) {
    const [first, ...others] = members.filter(({ group }) => group === build);
    if (!first) continue;
    for (const topic of TOPICS)
      for (const partition of PARTITIONS)
        if (![first, ...others].some((member) => member.isHolding(topic, partition)))
          world.pick([first, ...others]).assign(topic, partition);
  }
}

/** One that has lanes of the new build leaves it behind the old one, which goes on as soon as it may. */
function stopAfterSwitch({ world }: Stage, [actor, ...actors]: readonly Actor[]): void {
  if (!actor || !world.chance(0.5)) return;
  world.happen('worker stopped after a switch');
  world.pick([actor, ...actors]).worker.pausedUntil = world.now() + 8000 * world.random();
}

interface Disturbing {
  readonly comes: (rate: number) => boolean;
  readonly working: readonly Actor[];
  readonly operators: readonly Operator[];
  /** How often a command is stopped for a while. */
  readonly paused: number;
}

function disturb(stage: Stage, { comes, working, operators, paused }: Disturbing): void {
  const { world } = stage;
  const [actor, ...actors] = working;
  const [operator, ...more] = operators;
  if (operator && comes(OPERATORS_KILLED)) {
    world.happen('operator killed');
    world.pick([operator, ...more]).worker.isDead = true;
  }
  if (operator && comes(paused)) {
    world.happen('operator paused');
    world.pick([operator, ...more]).worker.pausedUntil = world.now() + 15_000 * world.random();
  }
  if (!actor) return;
  if (comes(MOVED)) {
    world.happen('lanes moved');
    for (const member of membersOf(stage, world.pick([actor, ...actors]))) member.revokeAll();
  }
  if (comes(STOPPED)) {
    world.happen('worker stopped for long');
    world.pick([actor, ...actors]).worker.pausedUntil = world.now() + LONGEST_STOP_MS * world.random();
  }
  // Without sweeps nobody makes good what a worker that was killed has left of the index.
  if (!stage.isBlind && comes(KILLED)) {
    world.happen('worker killed');
    world.pick([actor, ...actors]).worker.isDead = true;
  }
}
