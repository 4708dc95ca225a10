import { duration } from '../../texts/english-amounts.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { buildNumber, parseBuildName } from '../../stores/build-names.ts';
import { BUILDS } from '../../stores/builds.ts';
import { removeAll } from '../../stores/documents/change-document.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { FEED_LEASES } from '../../stores/feed-lease.ts';
import { LAGS } from '../../stores/lag-notes.ts';
import { ALIASES, changeAlias, isStanding, readAlias, type Alias } from '../../stores/aliases.ts';
import type { Search } from '../../stores/search/port.ts';
import { CHECKPOINTS, laneName, lanesOf } from '../engine/lane.ts';
import { everyParked } from '../engine/parked-queries.ts';
import { PARKED } from '../engine/parking.ts';
import { hasLanesOf, readOwners } from '../health/lane-owners.ts';
import { unfinishedRedrive } from './redrive-in-builds.ts';

/*
 * Takes a build away: out of the alias first, so that projectors let it go and nobody can make it live; then, once none of
 * them speaks of its lanes, all that is stored of it. Repeating it after a failure goes on where it stopped.
 */

interface DropParts {
  readonly documents: Documents;
  readonly search: Pick<Search, 'drop' | 'indexes'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether this release does not have the read model: then its live build may go as well, the last one, and nothing is left of it. */
  readonly isRemoved?: boolean;
  /** How long a build that was live is kept after the switch, in milliseconds. Default: an hour. */
  readonly graceMs?: number;
}

/** A build that was live is kept for so long after the switch, in milliseconds: somebody may want to go back. */
const GRACE_MS = 3_600_000;
/** How long projectors that are heard of have to let it go, in milliseconds: a large batch may be in hand. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 500;
/** A projector that speaks so long after the build left the alias has seen that, in milliseconds. */
const SEEN_MS = 2000;
/** What was begun before that has been written by then, in milliseconds. */
const SETTLED_MS = 2000;

/** Returns why the build stays, one line for people; null where it is gone. */
export async function dropBuild(parts: DropParts, name: string, build: string): Promise<string | null> {
  const refusal = await takeOut(parts, name, build);
  if (refusal !== null) return refusal;
  const takenOutAt = await parts.documents.now();
  // What is written after it is gone would be left.
  const unfinished = await unfinishedRedrive(parts.documents, name);
  if (unfinished !== null) return `${unfinished}: redrive it first`;
  const busy = await untilLetGo(parts, build, takenOutAt);
  if (busy !== null) return `the projector ${busy} still has lanes of ${build}: try again`;
  await forget(parts, build);
  // What a projector had begun to write of it when it let it go.
  await parts.clock.sleep(SETTLED_MS, parts.signal);
  await forget(parts, build);
  // Last, because by it a removal that was broken off is found.
  if (parts.isRemoved && (await readAlias(parts.documents, name))?.collection === build)
    await removeAll(parts.documents, ALIASES.name, [name]);
  return null;
}

/** Takes it out of the alias. Returns why not, where it has to stay. */
async function takeOut(
  { documents, graceMs = GRACE_MS, isRemoved = false }: DropParts,
  name: string,
  build: string,
) {
  if (isRemoved) {
    const { alive } = await readOwners(documents, await documents.now());
    const owner = [...alive.values()].find((worker) => hasLanesOf(build, worker));
    if (owner) return `the projector ${owner.where} keeps ${build} up to date: stop it first`;
  }
  let refusal: string | null = null;
  await changeAlias(documents, name, async (alias) => {
    const now = await documents.now();
    refusal = null;
    if (alias === null) return null;
    const { collection, before, beside, pause } = alias;
    // After a switch the clock may have been put back.
    const left = Math.min(graceMs, keptUntil(alias, build, graceMs) - now);
    if (collection === build && isRemoved) {
      const [other] = beside;
      if (other !== undefined) refusal = `${build} is live: drop ${other} first`;
    } else if (collection === build) refusal = `${build} is live: cut over to another build first`;
    else if (pause && isStanding(pause, now)) refusal = `${pause.owner} is about to switch ${name}`;
    else if (left > 0)
      refusal = `${build} was live until ${duration(graceMs - left)} ago: it is kept for ${duration(graceMs)}, for a rollback`;
    if (refusal !== null || !(beside.includes(build) || before === build)) return null;
    return {
      ...alias,
      beside: beside.filter((one) => one !== build),
      begun: withName(alias.begun, build),
      before: before === build ? null : before,
      // One that has run out may be of a switch to this very build: it must not come late.
      pause: null,
    };
  });
  return refusal;
}

/** The first build of an installation was begun by nobody: its name, too, is used once. */
function withName(begun: Alias['begun'], build: string): Alias['begun'] {
  const named = parseBuildName(build);
  if (named === null) return begun;
  const { version } = named;
  return { ...begun, [version]: Math.max(begun[version] ?? 0, buildNumber(named)) };
}

/** Until when a build is kept because it was live, by the store's clock; 0 where it was not. */
export function keptUntil({ switches }: Pick<Alias, 'switches'>, build: string, graceMs = GRACE_MS): number {
  const left = switches.findLast(({ before }) => before === build);
  return left ? left.at + graceMs : 0;
}

/**
 * Where a projector runs that does not let it go; null once all that are there have spoken since, and none of its lanes:
 * one that has only just joined it has not said so yet.
 */
async function untilLetGo({ documents, clock, signal }: DropParts, build: string, takenOutAt: number) {
  const began = clock.monotonic();
  for (;;) {
    const { alive } = await readOwners(documents, await documents.now());
    const busy = [...alive.values()].find(
      (worker) => worker.at < takenOutAt + SEEN_MS || hasLanesOf(build, worker),
    );
    if (!busy) return null;
    if (signal.aborted || clock.monotonic() - began > PATIENCE_MS) return busy.where;
    await clock.sleep(LOOK_MS, signal);
  }
}

/** Removes what is stored of it; its record last, so that an unfinished removal can be found and repeated. */
async function forget({ documents, search }: DropParts, build: string): Promise<void> {
  const lanes = await lanesOf(documents, build);
  await removeAll(documents, CHECKPOINTS.name, lanes.map(laneName));
  for await (const page of everyParked(documents, build)) {
    const ids = page.map(({ id }) => id);
    await removeAll(documents, PARKED.name, ids);
  }
  if ((await search.indexes()).includes(build)) await search.drop(build);
  for (const collection of [FEED_LEASES, LAGS]) await removeAll(documents, collection.name, [build]);
  await documents.drop(build);
  await removeAll(documents, BUILDS.name, [build]);
}
