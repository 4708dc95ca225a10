import type { Clock } from '../../platform/time/clock.ts';
import type { LaneId } from './lane.ts';

/*
 * What a worker knows of the lanes that are assigned to it, for its health and for people. Every assigned lane is in
 * the list, from the moment of its assignment until it is taken away:
 *
 *   claiming --claimed--> running --work fails--> paused --the same work succeeds--> running
 *   claiming, running, paused --the log does not fit the checkpoint--> halted --it fits again--> claiming
 *   any --taken away--> gone: what is found out of it later is not noted
 */

export interface LaneState {
  readonly lane: LaneId;
  /** `claiming`: its checkpoint is not this worker's yet. `paused`: work that failed is repeated, without a hand. */
  readonly state: 'claiming' | 'running' | 'paused' | 'halted';
  /** Since when it is in this state: `monotonic()` of the worker's clock. */
  readonly since: number;
  /** One line for people: why it does not move. null where nothing has failed. */
  readonly reason: string | null;
}

/** The state of one assignment. */
export type LaneWatch = ReturnType<ReturnType<typeof createLaneStates>['begin']>;

export function createLaneStates(clock: Clock) {
  const states = new Map<object, LaneState>();

  return {
    list: (): readonly LaneState[] => [...states.values()],
    /** Begins to watch a lane for as long as `assignment` stands. */
    begin: (assignment: object, lane: LaneId) => {
      let current: LaneState = { lane, state: 'claiming', since: clock.monotonic(), reason: null };
      /** What has failed last; null where nothing waits to succeed. */
      let failing: string | null = null;
      states.set(assignment, current);
      const enter = (state: LaneState['state'], reason: string | null): void => {
        if (!states.has(assignment)) return;
        current = { lane, state, reason, since: state === current.state ? current.since : clock.monotonic() };
        states.set(assignment, current);
      };
      return {
        claiming: (reason: string | null): void => {
          failing = null;
          enter('claiming', reason);
        },
        running: (): void => {
          failing = null;
          enter('running', null);
        },
        halted: (reason: string): void => enter('halted', reason),
        /** Work failed and will be repeated: a running lane is paused by it. `what` names the work. */
        failed: (what: string, reason: string): void => {
          failing ??= what;
          if (current.state === 'halted') return;
          enter(current.state === 'claiming' ? 'claiming' : 'paused', reason);
        },
        /** The work of this name has succeeded again. */
        succeeded: (what: string): void => {
          if (failing !== what || current.state === 'halted') return;
          failing = null;
          enter(current.state === 'claiming' ? 'claiming' : 'running', null);
        },
      };
    },
    end: (assignment: object): void => void states.delete(assignment),
  };
}
