/** How long a lane may stand still while it should move, in milliseconds: with the looks, 15 s at most. */
export const STALL_MS = 10_000;

/**
 * A worker that catches up takes the lanes of a build in turns: on a slow machine a turn may take longer than the bound.
 * While another lane of its build moves through a backlog of a batch or more, a lane may stand for so long, in
 * milliseconds. Builds do not wait for each other: what another one does excuses nothing.
 */
const STALL_IN_BACKLOG_MS = 60_000;
const BACKLOG = 2000;

/** One lane as it was seen at one look. */
export interface ObservedLane {
  /** As `laneName` makes it: it begins with the build. */
  readonly name: string;
  /** Whether it is claimed and at work. */
  readonly isRunning: boolean;
  /** Since when it is or is not, by the monotonic clock: a lane that comes to be seen late has stood for longer. */
  readonly since?: number | undefined;
  readonly position: number | null;
  /** Records to go, those that cannot be read yet left out. */
  readonly left: number;
  /** Whether its build is one that readers do not see yet: passes are longer there, with rests between. Default: no. */
  readonly isUnseen?: boolean;
}

export interface StallState {
  /** How long the lane has been standing still, in milliseconds; 0 where it is well. */
  readonly ms: number;
  readonly isStalled: boolean;
}

export type StallDetector = ReturnType<typeof createStallDetector>;

/**
 * Finds lanes that do not move although there is something to read, or that are not at work at all: the one honest sign
 * of a stall, better than what a client library says. A lane that goes on failing and beginning again does not move either.
 */
export function createStallDetector() {
  let before = new Map<string, { readonly position: number | null; readonly wellAt: number }>();
  /** When a lane of a build was last seen to move through a backlog: a turn may take longer than from one look to the next. */
  const caughtUpAt = new Map<string, number>();
  return {
    /** Takes in the latest look, by the monotonic clock, and tells of each lane. */
    observe: (lanes: readonly ObservedLane[], now: number): ReadonlyMap<string, StallState> => {
      const seen: typeof before = new Map();
      for (const { name, isRunning, since, position, left } of lanes) {
        const known = before.get(name);
        const hasMoved = isRunning && position !== known?.position;
        const isWell = hasMoved || (isRunning && left === 0);
        if (hasMoved && known !== undefined && left >= BACKLOG) caughtUpAt.set(buildOf(name), now);
        const begun = isRunning ? now : (since ?? now);
        seen.set(name, { position, wellAt: isWell ? now : (known?.wellAt ?? begun) });
      }
      // A lane that is no longer ours starts over when it comes back.
      before = seen;
      return new Map(
        lanes.map(({ name, isRunning, isUnseen = false }) => {
          const ms = now - (seen.get(name)?.wellAt ?? now);
          const isCatchingUp = now - (caughtUpAt.get(buildOf(name)) ?? -Infinity) < STALL_MS;
          const bound = isRunning && (isUnseen || isCatchingUp) ? STALL_IN_BACKLOG_MS : STALL_MS;
          return [name, { ms, isStalled: ms >= bound }];
        }),
      );
    },
  };
}

function buildOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}
