import { createHash } from 'node:crypto';
import { setImmediate as untilAllIsStill } from 'node:timers/promises';

import { createRandom } from '../../src/sample/random.ts';

/**
 * The time and the chance of one simulation. All that a process waits for waits here, and the seed alone decides what
 * goes on next: the same seed gives the same run, and the same trace.
 */
export interface World {
  /** Milliseconds since the beginning; it jumps to the next thing that is to happen. */
  now(): number;
  /** How likely a call is to fail; 0 once the world is healed. */
  faults: number;
  /** How likely a call is to be long on its way. */
  slowness: number;
  chance(probability: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** From 0 to 1. */
  random(): number;
  /** 16 hexadecimal digits, others each time; drawn apart, so that nothing else depends on how many were drawn. */
  nonce(): string;
  /** The name of a worker or feeder: as many digits, drawn apart as well. What is stored under it is read in its order. */
  owner(): string;
  /** How long a machine had been running when the world began, in milliseconds; drawn apart as well. */
  upFor(machine: string): number;
  /** Counts what happened, for the trace and for the tests that ask whether it ever did. */
  happen(what: string): void;
  readonly happened: ReadonlyMap<string, number>;
  /** Tells the trace, and counts nothing. */
  tell(line: string): void;
  /** Lets a process go on with `run` after so many milliseconds. Returns how to call it off. */
  later(process: Process, what: string, ms: number, run: () => void): () => void;
  /** Whether a process has nothing under way. */
  isIdle(process: Process): boolean;
  /** Lets one thing happen. False where nobody waits for anything. */
  step(): Promise<boolean>;
  /** Steps until the condition holds. False where it does not within so many milliseconds. */
  until(condition: () => boolean, ms: number): Promise<boolean>;
  /** The digest of everything that has happened, in its order. */
  trace(): string;
}

export interface Process {
  readonly name: string;
  /** Killed: nothing that it waits for ever comes. */
  isDead: boolean;
  /** Stopped, as by SIGSTOP or a long pause for garbage, until then. */
  pausedUntil: number;
}

interface Waiting {
  readonly process: Process;
  readonly what: string;
  readonly at: number;
  readonly run: () => void;
}

const LONGEST_UP_MS = 3_600_000;
/** Ten times what a long run takes: one that needs more goes round in a circle, and time may not even pass. */
const MOST_STEPS = 1_000_000;
/** Characters: few calls of the digest, and little to keep. */
const TOLD_AT_ONCE = 50_000;

export function createWorld(seed: number, mostSteps: number = MOST_STEPS): World {
  const random = createRandom(`simulation ${seed}`);
  const uniform = (): number => random.uniform();
  const nonces = createRandom(`nonces ${seed}`);
  const owners = createRandom(`owners ${seed}`);
  const digest = createHash('sha256');
  const happened = new Map<string, number>();
  let now = 0;
  let steps = 0;
  const waiting: Waiting[] = [];
  const dueAt = ({ at, process }: Waiting): number => Math.max(at, process.pausedUntil);
  /** What the digest has still to be told: many lines at once. */
  let untold = '';
  /** A time with fractions is slow to write, and many things happen at one time. */
  let [toldAt, time] = [0, '0'];
  const tell = (line: string): void => {
    if (toldAt !== now) {
      toldAt = now;
      time = String(now);
    }
    untold += `${time} ${line}\n`;
    if (untold.length > TOLD_AT_ONCE) digestTold();
  };
  const digestTold = (): void => {
    digest.update(untold);
    untold = '';
  };

  const world: World = {
    now: () => now,
    faults: 0,
    slowness: 0,
    random: uniform,
    nonce: () => hexadecimal(nonces.uniform()) + hexadecimal(nonces.uniform()),
    owner: () => hexadecimal(owners.uniform()) + hexadecimal(owners.uniform()),
    upFor: (machine) => LONGEST_UP_MS * createRandom(`${machine} ${seed}`).uniform(),
    chance: (probability) => uniform() < probability,
    // One of the items may be null: that is no reason to take another one.
    pick: <T>(items: readonly [T, ...T[]]) => items[Math.floor(uniform() * items.length)] as T,
    happened,
    happen: (what) => {
      happened.set(what, (happened.get(what) ?? 0) + 1);
      tell(what);
    },
    tell,
    later: (process, what, ms, run) => {
      const one = { process, what, at: now + ms, run };
      waiting.push(one);
      return () => remove(one);
    },
    isIdle: (process) => waiting.every((one) => one.process !== process),
    step: async () => {
      await untilAllIsStill();
      for (const one of waiting.filter(({ process }) => process.isDead)) remove(one);
      if (waiting.length === 0) return false;
      const ready = waiting.filter((one) => dueAt(one) <= now);
      const next = draw(ready) ?? waiting.reduce((a, b) => (dueAt(b) < dueAt(a) ? b : a));
      remove(next);
      steps += 1;
      if (steps > mostSteps)
        throw new Error(
          `no end after ${mostSteps} steps, at ${now} ms: ${next.process.name} goes on to ${next.what}`,
        );
      now = Math.max(now, dueAt(next));
      tell(`${next.process.name} ${next.what}`);
      next.run();
      return true;
    },
    until: async (condition, ms) => {
      const limit = now + ms;
      while (!condition()) {
        if (now > limit || !(await world.step())) {
          await untilAllIsStill();
          return condition();
        }
      }
      return true;
    },
    trace: () => {
      digestTold();
      return digest.copy().digest('hex');
    },
  };

  function remove(one: Waiting): void {
    const index = waiting.indexOf(one);
    if (index >= 0) waiting.splice(index, 1);
  }

  function draw(ready: readonly Waiting[]): Waiting | undefined {
    // Now and then time passes while something could be done.
    return uniform() < 0.98 ? ready[Math.floor(uniform() * ready.length)] : undefined;
  }
  return world;
}

/** Eight digits of a number from 0 to 1. */
function hexadecimal(uniform: number): string {
  return Math.floor(uniform * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
