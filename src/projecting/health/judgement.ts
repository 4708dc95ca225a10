import { laneName } from '../engine/lane.ts';
import type { LaneState } from '../engine/lane-states.ts';
import { waitsForTransaction, type LaneProgress } from '../inspect/progress.ts';
import type { Standing, Watched } from './stall.ts';

/** Whether a projector does its work. `detail` is one line for people. */
export interface Health {
  readonly ok: boolean;
  readonly detail: string;
}

/** A lane that is assigned to a projector, with how far it has come; null where the log does not tell of it. */
export interface SeenLane extends LaneState {
  readonly progress: LaneProgress | null;
}

/**
 * Ready is: every lane is claimed, and moves or has nothing to read. Not ready is: a lane has halted, or has stood still
 * for too long, for any reason. What lasts for less, and an open transaction, which somebody else has to end, is only
 * mentioned. `standing` is what the stall detector says of each lane. `abandoned` are lanes that no live projector has: of a
 * read model that this one has no lane of, it should have been given them.
 */
export function judge(
  lanes: readonly SeenLane[],
  standing: ReadonlyMap<string, Standing>,
  abandoned: readonly Pick<Watched, 'name'>[] = [],
): Health {
  const troubles: string[] = [];
  for (const { name } of abandoned) {
    const ms = standing.get(name)?.ms ?? 0;
    if (ms >= ABANDONED_MS)
      troubles.push(
        `stalled: ${name} is with no live projector, and this one is not given it (for ${Math.round(ms / 1000)} s)`,
      );
  }
  const notes: string[] = [];
  for (const lane of lanes) {
    const name = laneName(lane.lane);
    const { ms, isStalled } = standing.get(name) ?? { ms: 0, isStalled: false };
    if (lane.state === 'halted') troubles.push(`halted: ${lane.reason ?? name}`);
    else if (lane.state === 'running' && ms === 0) notes.push(...transactionOf(lane));
    else if (isStalled) troubles.push(`stalled: ${name} ${whyNot(lane)} (for ${Math.round(ms / 1000)} s)`);
    else if (lane.state !== 'running') notes.push(`${name} ${whyNot(lane)}`);
  }
  const behind = lanes.reduce((sum, { progress }) => sum + (progress?.lag ?? 0), 0);
  const summary = `${lanes.length} lanes, ${behind} behind`;
  const isWell = troubles.length === 0;
  return { ok: isWell, detail: short([...(isWell ? [summary] : troubles), ...notes]) };
}

/** A log gives the lanes of a projector that has died to another one in less, in milliseconds. */
const ABANDONED_MS = 30_000;

/** What is said at most: with every lane in trouble for one reason, a few of them tell it. */
const SAID = 4;

function short(parts: readonly string[]): string {
  const rest = parts.length - SAID;
  return parts.slice(0, SAID).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

function whyNot({ state, reason }: SeenLane): string {
  switch (state) {
    case 'claiming':
      return `is not claimed yet${because(reason)}`;
    case 'paused':
      return `is paused${because(reason)}`;
    case 'running':
    case 'halted':
      return `does not move${because(reason)}`;
  }
}

function because(reason: string | null): string {
  return reason === null ? '' : `: ${reason}`;
}

function transactionOf({ lane, progress }: SeenLane): readonly string[] {
  if (!progress || !waitsForTransaction(progress)) return [];
  return [`${laneName(lane)} waits for an open transaction at ${progress.readable}`];
}
