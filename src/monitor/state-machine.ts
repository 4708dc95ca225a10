import { withIncident } from './incidents.ts';
import type { Machine, State, Evidence } from './machine-state.ts';
import type { Policy } from './policy.ts';
import { countsAt, type Round, type RoundResult } from './rounds.ts';

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

/** The changes of at most `flap_window_s` before this moment; the very list given where all of them are. */
function recentChanges(changes: Machine['changes'], at: number, policy: Policy): Machine['changes'] {
  const isRecent = (change: number) => at - change <= policy.flap_window_s * 1000;
  return changes.every(isRecent) ? changes : changes.filter(isRecent);
}

/**
 * What becomes of a change of state that the rounds ask for. A target whose state changes too often flaps: it is held at
 * degraded until it has been ok for a while, or falls silent. Either clears the count of changes; what the rounds ask for
 * meanwhile is not counted.
 */
function withChange(
  machine: Machine,
  asked: State,
  at: number,
  policy: Policy,
): Pick<Machine, 'state' | 'changes' | 'flapping'> {
  // Only enough ok rounds, or silence, ask for a change of what is held.
  if (machine.flapping) return { state: asked, changes: [], flapping: false };
  const changes = [...recentChanges(machine.changes, at, policy), at];
  if (asked === 'unknown' || changes.length <= policy.flap_changes) {
    return { state: asked, changes, flapping: false };
  }
  return { state: 'degraded', changes: [], flapping: true };
}

function extendRun({ state, run }: Machine, { result, okAt }: Round, policy: Policy): Machine['run'] {
  const goesOn = run?.result === result;
  const longest = Math.max(
    policy.fail_rounds,
    policy.recover_rounds,
    policy.steady_rounds,
    policy.flap_ok_rounds,
  );
  const rounds = goesOn ? Math.min(run.rounds + 1, longest) : 1;
  if (result !== 'ok' || state === 'up' || okAt === null) return { result, rounds, okAt: null };
  return { result, rounds, okAt: goesOn && run.okAt !== null ? Math.min(run.okAt, okAt) : okAt };
}

function extendWindow({ state, window }: Machine, round: Round, policy: Policy): Machine['window'] {
  if (state === 'degraded' || state === 'down') return [];
  const longest = Math.max(policy.degraded_window, policy.fail_rounds, policy.recover_rounds);
  return [...window, evidenceOf(round)].slice(-longest);
}

function evidenceOf({ result, notOkAt, causes }: Round): Evidence | null {
  return result === 'ok' || notOkAt === null ? null : { notOkAt, causes: [...causes] };
}

/**
 * The state that the rounds ask for, before flapping has its say.
 *
 * up -> degraded      so many rounds that are not ok in the window, which is cleared on entering up
 * up, degraded -> down        so many failed rounds in a row, wherever the run began; this outranks degraded
 * down -> up, degraded        so many rounds in a row that did not fail: up if all are ok
 * degraded -> up              so many ok rounds in a row
 * any -> unknown              so many silent rounds in a row, which clears runs and window
 * unknown -> any              so many rounds in a row with the same result
 */
function stateByRounds(machine: Machine, policy: Policy): State {
  const { state, notFailed, window } = machine;
  if (machine.flapping) return inARow(machine, 'ok', policy.flap_ok_rounds) ? 'up' : state;
  switch (state) {
    case 'up': {
      if (inARow(machine, 'fail', policy.fail_rounds)) return 'down';
      const notOk = window.slice(-policy.degraded_window).filter((round) => round !== null).length;
      return notOk >= policy.degraded_rounds ? 'degraded' : state;
    }
    case 'degraded':
      if (inARow(machine, 'fail', policy.fail_rounds)) return 'down';
      return inARow(machine, 'ok', policy.steady_rounds) ? 'up' : state;
    case 'down':
      if (notFailed < policy.recover_rounds) return state;
      return inARow(machine, 'ok', policy.recover_rounds) ? 'up' : 'degraded';
    case 'unknown':
      if (inARow(machine, 'ok', policy.recover_rounds)) return 'up';
      if (inARow(machine, 'weak', policy.recover_rounds)) return 'degraded';
      return inARow(machine, 'fail', policy.recover_rounds) ? 'down' : state;
  }
}

function inARow({ run }: Machine, result: RoundResult, rounds: number): boolean {
  return run?.result === result && run.rounds >= rounds;
}
