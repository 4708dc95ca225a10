import type { Clock } from '../../platform/time/clock.ts';
import { laneName, type LaneId } from './lane.ts';

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
export interface LaneWatch {
  readonly current: LaneState;
  claiming(reason: string | null): void;
  running(): void;
  halted(reason: string): void;
  /** Work failed and will be repeated: a running lane is paused by it. `what` names the work. */
  failed(what: string, reason: string): void;
  /** The work of this name has succeeded again. */
  succeeded(what: string): void;
}

export interface LaneStates {
  list(): readonly LaneState[];
  /** The reasons of halted lanes, by name. */
  readonly halts: ReadonlyMap<string, string>;
  /** Begins to watch a lane for as long as `assignment` stands. */
  begin(assignment: object, lane: LaneId): LaneWatch;
  end(assignment: object): void;
}

export function createLaneStates(
  clock: Clock,
  halted: (lane: string, isHalted: boolean | null) => void,
): LaneStates {
  const states = new Map<object, LaneState>();
  const halts = new Map<string, string>();

  return {
    list: () => [...states.values()],
    halts,
    begin: (assignment, lane) => {
      let current: LaneState = { lane, state: 'claiming', since: clock.monotonic(), reason: null };
      /** What has failed last; null where nothing waits to succeed. */
      let failing: string | null = null;
      const name = laneName(lane);
      states.set(assignment, current);
      const enter = (state: LaneState['state'], reason: string | null): void => {
        if (!states.has(assignment)) return;
        current = { lane, state, reason, since: state === current.state ? current.since : clock.monotonic() };
        states.set(assignment, current);
        if (state === 'halted') halts.set(name, reason ?? '');
        else halts.delete(name);
        halted(name, state === 'halted');
      };
      return {
        get current() {
          return current;
        },
        claiming: (reason) => {
          failing = null;
          enter('claiming', reason);
        },
        running: () => {
          failing = null;
          enter('running', null);
        },
        halted: (reason) => enter('halted', reason),
        failed: (what, reason) => {
          failing ??= what;
          if (current.state === 'halted') return;
          enter(current.state === 'claiming' ? 'claiming' : 'paused', reason);
        },
        succeeded: (what) => {
          if (failing !== what || current.state === 'halted') return;
          failing = null;
          enter(current.state === 'claiming' ? 'claiming' : 'running', null);
        },
      };
    },
    end: (assignment) => {
      const ended = states.get(assignment);
      states.delete(assignment);
      if (!ended) return;
      const name = laneName(ended.lane);
      // The same lane may have been assigned again already.
      if ([...states.values()].some(({ lane }) => laneName(lane) === name)) return;
      halts.delete(name);
      halted(name, null);
    },
  };
}
