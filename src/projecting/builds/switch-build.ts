import { randomUUID } from 'node:crypto';

import type { Log } from '../../events/log/port.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { isBackfilling } from '../../stores/feed-lease.ts';
import {
  changeAlias,
  isStanding,
  readAlias,
  READERS_MS,
  type Alias,
  type LiveAlias,
  type Pause,
  withSwitch,
} from '../../stores/aliases.ts';
import { countMarks } from '../../stores/outbox.ts';
import { parseBuildName } from '../../stores/build-names.ts';
import { readBuild } from '../../stores/builds.ts';
import { describeObstacle, unservableBy } from './switch-obstacles.ts';
import { unfinishedRedrive } from './redrive-in-builds.ts';
import { busyLanes, revokeLane } from './busy-lanes.ts';
import { lanesOf } from '../engine/lane.ts';
import { lanesBehind, goalsOf, topicsOf, type Goals } from './switch-goals.ts';

/*
 * Makes another build live, for a cut-over and for a rollback alike:
 *
 *   live --a pause stands in the alias--> the source is quiet --the target has come as far--> both are quiet
 *     --the target's index has been told of everything, and every server can render it--> switched: one guarded write of the alias; the source stays quiet
 *     --no process reads the source any more--> done: the pause is ended
 *   any before the write --it takes too long, or a lane's owner is silent--> given up: the pause is ended, the lanes go on
 *
 * A command that is killed leaves the pause behind. It runs out, the workers end it by a write of the alias, and that write
 * is what a switch which comes late runs into.
 */

export interface SwitchParts {
  readonly documents: Documents;
  readonly log: Log;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Who switches, for people: `host:pid`. */
  readonly owner: string;
  /** How long lanes may be kept quiet, in milliseconds. Default 10 s. */
  readonly pauseMs?: number;
}

interface Switch {
  /** The read model: `listings`. */
  readonly name: string;
  /** The build that is to be live. */
  readonly target: string;
  /** Its search index; null where it has none. */
  readonly index: string | null;
  /** Whether nothing but an explicit cut-over may switch afterwards: after a rollback. */
  readonly pinned: boolean;
  /** Whether nobody has asked for it: then it only goes to a higher version, and never from a pinned build. Default: no. */
  readonly isAutomatic?: boolean;
  /** Whether the target has to be verified still once everything is quiet. Default: no. */
  readonly mustBeVerified?: boolean;
}

export type SwitchResult =
  | { readonly outcome: 'switched'; readonly from: string; readonly to: string }
  /**
   * Nothing has changed; `reason` is one line for people. `isFinal`: another attempt would find the same; else what it waits for
   * may come.
   */
  | { readonly outcome: 'given_up'; readonly reason: string; readonly isFinal?: true };

const PAUSE_MS = 10_000;
const LOOK_MS = 50;
/** So long before the end of the pause it is given up: the switch itself must not come late. */
const MARGIN_MS = 1000;
/** A worker that has just started speaks within this, in milliseconds. */
const UNHEARD_MS = 3000;

/** A switch under way. */
type SwitchUnderWay = SwitchParts & { readonly token: string; readonly deadline: number };

class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** @throws what the stores throw; the pause then runs out by itself. */
export async function switchBuild(parts: SwitchParts, wanted: Switch): Promise<SwitchResult> {
  const { documents } = parts;
  const { name, target } = wanted;
  const token = randomUUID();
  await untilSettled(parts, name);
  const paused = await pause(parts, wanted, token);
  if (typeof paused === 'string') return { outcome: 'given_up', reason: paused };
  const source = paused.collection;
  const waiting = {
    ...parts,
    /** Of the pause. */
    token,
    /** When it is given up, by the monotonic clock. */
    deadline: parts.clock.monotonic() + (parts.pauseMs ?? PAUSE_MS) - MARGIN_MS,
  };
  try {
    // From here on nobody begins another one: what is redriven in one of the builds is in both.
    await until(waiting, () => unfinishedRedrive(documents, name));
    if (wanted.mustBeVerified && !(await readBuild(documents, target))?.verified)
      throw new GivenUp(`${target} was changed by hand since it was verified: try again`);
    await untilQuiet(waiting, source);
    await untilLevel(waiting, source, target);
    await changeAlias(documents, name, (alias) => {
      const standing = own(alias, token);
      return { ...standing, pause: { ...standing.pause, builds: [source, target] } };
    });
    await untilQuiet(waiting, target);
    // Once more: one that cannot may have started while the build was verified.
    const unservable = await unservableBy(documents, target);
    if (unservable !== null) throw new GivenUp(describeObstacle(target, unservable));
    // Last of all: what a feeder finds out after this look, it says in its lease.
    await until(waiting, () => untold(documents, wanted));
    await makeLive(parts, wanted, token);
  } catch (thrown) {
    // Where this fails too, the pause runs out.
    await endPause(documents, name, token).catch(() => undefined);
    if (thrown instanceof GivenUp) return { outcome: 'given_up', reason: thrown.message };
    throw thrown;
  }
  // Until then a process may read the source: what it finds there the target must have.
  await parts.clock.sleep(READERS_MS, parts.signal);
  // Where this fails, the pause runs out.
  await endPause(documents, name, token).catch(() => undefined);
  return { outcome: 'switched', from: source, to: target };
}

/** Waits where the last switch has only just been made: what was live before it is quiet until nobody reads that. */
async function untilSettled(parts: SwitchParts, name: string): Promise<void> {
  const { documents, clock, signal, pauseMs = PAUSE_MS } = parts;
  const began = clock.monotonic();
  while (!signal.aborted && clock.monotonic() - began < pauseMs + READERS_MS) {
    const alias = await readAlias(documents, name);
    if (!alias?.pause || alias.pause.builds.includes(alias.collection)) return;
    await clock.sleep(LOOK_MS, signal);
  }
}

/** Sets the pause of the live build. Returns why not, where somebody else is about to switch or there is nothing to. */
async function pause(parts: SwitchParts, { name, target, isAutomatic = false }: Switch, token: string) {
  const { documents, owner, pauseMs = PAUSE_MS } = parts;
  let refusal = `${name} has never been started`;
  const paused = await changeAlias(documents, name, async (alias) => {
    const now = await documents.now();
    if (alias === null) return null;
    const { collection, beside } = alias;
    if (collection === target) refusal = `${target} is live already`;
    else if (!beside.includes(target)) refusal = `${name} has no build ${target}`;
    else if (isAutomatic && !mayGoUp(alias, target)) refusal = `${collection} is to stay live`;
    else if (alias.pause && isStanding(alias.pause, now))
      refusal = `${alias.pause.owner} is about to switch ${name}`;
    else return { ...alias, pause: { token, owner, until: now + pauseMs, builds: [collection] } };
    return null;
  });
  return paused ?? refusal;
}

/** Whether a build may become live without that anybody has asked for it. */
export function mayGoUp({ version, pinned }: Alias, build: string): boolean {
  return !pinned && (parseBuildName(build)?.version ?? 0) > version;
}

/** @throws {GivenUp} where the pause no longer stands. */
function own(alias: LiveAlias | null, token: string): LiveAlias & { readonly pause: Pause } {
  if (alias?.pause?.token !== token) throw new GivenUp('the pause has run out');
  return { ...alias, pause: alias.pause };
}

/** Waits until no lane of the build may write any more. @throws {GivenUp} */
async function untilQuiet(waiting: SwitchUnderWay, build: string): Promise<void> {
  const { documents, clock, token } = waiting;
  const began = clock.monotonic();
  await until(waiting, async () => {
    const busy = await busyLanes(documents, await lanesOf(documents, build), token);
    if (clock.monotonic() - began >= UNHEARD_MS)
      for (const { lane, where } of busy) if (where === null) await revokeLane(documents, lane, token);
    const [first] = busy;
    if (!first) return null;
    const { lane, where } = first;
    if (where === null) return `no projector has said that ${lane} is quiet`;
    return `the projector ${where} has not said that ${lane} is quiet`;
  });
}

/** Waits until the target has come as far as the source may have written. @throws {GivenUp} */
async function untilLevel(waiting: SwitchUnderWay, source: string, target: string): Promise<void> {
  const { documents, log } = waiting;
  const topics = topicsOf(await readBuild(documents, target));
  let goals: Goals | null = null;
  await until(waiting, async () => {
    if (goals === null) {
      const found = await goalsOf(log, await lanesOf(documents, source));
      if (typeof found === 'string') return found;
      goals = found;
    }
    const [left] = lanesBehind(goals, await lanesOf(documents, target), topics);
    return left ? `${target} has ${left.left} records of ${left.lane} before it` : null;
  });
}

/** Waits until `look` finds nothing left to wait for. @throws {GivenUp} with the last thing that it found. */
async function until({ clock, signal, deadline }: SwitchUnderWay, look: () => Promise<string | null>) {
  for (;;) {
    const left = await look();
    if (left === null) return;
    if (signal.aborted) throw new GivenUp('it was stopped');
    if (clock.monotonic() > deadline) throw new GivenUp(left);
    await clock.sleep(LOOK_MS, signal);
  }
}

/** What the target's index has still to be told, one line; null where that is nothing. */
async function untold(documents: Documents, { target, index }: Switch): Promise<string | null> {
  if (index === null) return null;
  if (await isBackfilling(documents, index)) return `the index ${index} is being filled`;
  // Removals that are to be confirmed are left out of every query; what the engine refuses was told.
  const { put, remove } = await countMarks(documents, target);
  return put + remove > 0 ? `the index ${index} has still to be told of ${put + remove} documents` : null;
}

/** The one write that readers see. */
async function makeLive({ documents }: SwitchParts, { name, target, index, pinned }: Switch, token: string) {
  const at = await documents.now();
  const next = (alias: LiveAlias | null): Alias => {
    const standing = own(alias, token);
    const { collection: source, beside } = standing;
    if (!beside.includes(target)) throw new GivenUp(`${target} was dropped meanwhile`);
    const version = parseBuildName(target)?.version ?? standing.version;
    const others = [...beside.filter((build) => build !== target && build !== source), source];
    const switches = withSwitch(standing, { build: target, before: source, at });
    // The write lands while the pause stands, perhaps at its very end: readers have their time from then on.
    const hold = { ...standing.pause, until: standing.pause.until + READERS_MS, builds: [source] };
    const live = { version, collection: target, index, before: source, switches };
    return { ...standing, ...live, beside: others, pinned, pause: hold };
  };
  try {
    await changeAlias(documents, name, next);
  } catch (thrown) {
    // The answer may have been lost, not the write.
    if ((await readAlias(documents, name))?.collection !== target) throw thrown;
  }
}

/** Ends our own pause, so that the lanes need not wait for its end. What fails is made good by that. */
async function endPause(documents: Documents, name: string, token: string): Promise<void> {
  await changeAlias(documents, name, (alias) =>
    alias?.pause?.token === token ? { ...alias, pause: null } : null,
  );
}
