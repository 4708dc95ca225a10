import { stateByRounds } from './state-by-rounds.ts';
import { recentChanges, withChange } from './flapping.ts';
import { withIncident } from './incidents.ts';
import type { Machine, State } from './machine-state.ts';
import type { Policy } from './policy.ts';
import { countsAt, type Round } from './rounds.ts';
import { extendRun, extendWindow } from './runs.ts';

/**
 * The state machine of one target: unknown, up, degraded, down. Rounds are taken in one by one, in order; a round that
 * nobody reported in is silent. A single silent round enters no window and breaks no run.
 */

/** The machine after a round that somebody reported in: the one that follows `before.round`. */
export function afterRound(before: Machine, round: Round, policy: Policy): Machine {
  const counted: Machine = {
    ...before,
    round: round.round,
    silent: 0,
    run: extendRun(before, round, policy),
    notFailed: round.result === 'fail' ? 0 : Math.min(before.notFailed + 1, policy.recover_rounds),
    window: extendWindow(before, round, policy),
    changes: recentChanges(before.changes, countsAt(round.round, policy), policy),
    checkedAt: round.checkedAt,
  };
  return moved(counted, stateByRounds(counted, policy), policy);
}

/** The machine after every round up to this one has stayed silent. */
export function afterSilence(before: Machine, through: number, policy: Policy): Machine {
  let machine = before;
  while (machine.round < through && machine.silent < policy.unknown_rounds) {
    machine = afterSilentRound(machine, policy);
  }
  if (machine.round >= through) return machine;
  // Nothing changes in a silence that goes on, but that old changes are forgotten.
  const changes = recentChanges(machine.changes, countsAt(through, policy), policy);
  return { ...machine, round: through, changes };
}

function afterSilentRound(before: Machine, policy: Policy): Machine {
  const round = before.round + 1;
  const changes = recentChanges(before.changes, countsAt(round, policy), policy);
  const silent = before.silent + 1;
  if (silent < policy.unknown_rounds) return { ...before, round, silent, changes };
  const cleared: Machine = { ...before, round, silent, changes, run: null, notFailed: 0, window: [] };
  return moved(cleared, 'unknown', policy);
}

function moved(before: Machine, asked: State, policy: Policy): Machine {
  if (asked === before.state) return before;
  const at = countsAt(before.round, policy);
  const allowed = withChange(before, asked, at, policy);
  if (allowed.state === before.state) return { ...before, ...allowed };
  const incident = withIncident(before, allowed.state, at, policy);
  // While up nothing is to be resolved, so the run forgets when it began.
  const run = allowed.state === 'up' && before.run ? { ...before.run, okAt: null } : before.run;
  return { ...before, ...allowed, incident, run, window: [] };
}
