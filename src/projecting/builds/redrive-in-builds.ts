import { noteAltered, readBuild } from '../../stores/builds.ts';
import { parseBuildName } from '../../stores/build-names.ts';
import { readDocument } from '../../stores/documents/change-document.ts';
import type { Documents, Stored } from '../../stores/documents/port.ts';
import { endOverduePause, readAlias } from '../../stores/aliases.ts';
import type { LaneParts } from '../engine/lane-context.ts';
import { begunRedrives } from '../engine/parked-queries.ts';
import { PARKED, type ParkedEvent } from '../engine/parking.ts';
import {
  beginRedrive,
  foldInOtherBuild,
  giveUpRedrive,
  redrive,
  type BegunRedrive,
  type ParkedOutcome,
} from '../engine/redrive.ts';
import { conflictPauses, createRetry, StoppedError } from '../engine/retry.ts';
import { alsoParkedIn } from './carry-parked-to-build.ts';
import type { StandingBuild } from './builds-by-fold.ts';

/*
 * An event is redriven in every build of its read model: readers who are switched to another one must not see it go. It is noted
 * as begun first, and taken off the list last:
 *
 *   parked --noted--> begun --no pause stands--> folded into every build that stands, taken off the lists of the others --> off
 *   begun --a pause stands--> parked again, until it is over
 *   begun --the command is killed--> begun: the next redrive or the next cut-over goes on, with the same result
 *
 * A switch waits, in its pause, until none is begun: so nobody redrives while it compares and switches.
 */

export interface RedriveEverywhereParts extends Pick<
  LaneParts,
  'documents' | 'log' | 'decode' | 'clock' | 'logger' | 'rejectedTopic' | 'random'
> {
  readonly signal: AbortSignal;
  /** The builds of a read model that stand now. */
  readonly standing: (name: string) => Promise<readonly RedriveBuild[]>;
}

export type RedriveBuild = Omit<StandingBuild, 'readModel'>;

export type RedriveResult = { readonly id: string } & ParkedOutcome;

const LOOK_MS = 100;

/** What became of the event under this name, and under those that other builds have parked it under. @throws {StoppedError} */
export async function redriveEverywhere(
  parts: RedriveEverywhereParts,
  id: string,
): Promise<readonly RedriveResult[]> {
  const { documents, clock } = parts;
  const stored = await readDocument<ParkedEvent>(documents, PARKED.name, id);
  if (stored?.body.state === 'discarded')
    return [{ id, outcome: 'still_rejected', reason: 'it was discarded' }];
  const name = parseBuildName(stored?.body.readModel ?? '')?.name ?? null;
  const begun = name === null ? null : await begin(parts, name, id);
  if (name === null || begun === null) return [{ id, outcome: 'gone' }];
  const { parked } = begun;
  const standing = await parts.standing(name);
  const options = {
    ...parts,
    retry: createRetry(parts),
    pause: conflictPauses(parts),
    projections: standing.flatMap(({ projection }) => projection ?? []),
    isLive: (build: string) => standing.some((one) => one.isLive && one.build === build),
    now: clock.now(),
  };
  const others = standing.filter(({ build }) => build !== parked.body.readModel);
  for (const { build } of standing) await noteAltered(documents, build);
  const results: RedriveResult[] = [];
  for (const { build, projection } of others) {
    const [also] = await alsoParkedIn(documents, parked.body, [build]);
    const other = also === undefined ? null : await readDocument<ParkedEvent>(documents, PARKED.name, also);
    if (other?.body.state === 'parked') results.push({ id: other.id, ...(await redrive(other, options)) });
    // Its lane may not have come so far, and may be of a release that parks it when it does.
    else if (projection && !other && (await readBuild(documents, build)) !== null)
      await foldInOtherBuild(parked.body, projection, options);
  }
  return [{ id, ...(await redrive(parked, options)) }, ...results];
}

/** null where it is not parked any more. */
async function begin(parts: RedriveEverywhereParts, name: string, id: string): Promise<BegunRedrive | null> {
  const { documents } = parts;
  for (;;) {
    await untilNoPause(parts, name);
    const begun = await beginRedrive(documents, id);
    // After the note: a switch has either seen it, or its pause stands by now.
    if (begun === null || !(await readAlias(documents, name))?.pause) return begun;
    await giveUpRedrive(documents, begun);
  }
}

/** Ends one that has run out, as workers do: there may be none. */
async function untilNoPause({ documents, clock, signal }: RedriveEverywhereParts, name: string) {
  while ((await readAlias(documents, name))?.pause) {
    if (signal.aborted) throw new StoppedError('stopped while builds were switched');
    if (!(await endOverduePause(documents, name))) await clock.sleep(LOOK_MS, signal);
  }
}

/** Goes on with what was begun by commands that were killed. */
export async function finishRedrives(parts: RedriveEverywhereParts, name: string): Promise<void> {
  const { documents } = parts;
  await documents.declare(PARKED);
  for (const { id } of await begunOf(documents, name)) await redriveEverywhere(parts, id);
}

/** A redrive of the read model that is not at its end, one line; null where there is none. */
export async function unfinishedRedrive(documents: Documents, name: string): Promise<string | null> {
  await documents.declare(PARKED);
  const [first] = await begunOf(documents, name);
  return first ? `a redrive of ${first.id} was begun and not finished` : null;
}

/** Also of what a build has parked that has left the alias since: it is redriven into those that stand. */
async function begunOf(documents: Documents, name: string): Promise<readonly Stored<ParkedEvent>[]> {
  const begun = (await Array.fromAsync(begunRedrives(documents))).flat();
  return begun.filter(({ body }) => parseBuildName(body.readModel)?.name === name);
}
