import type { Machine, State } from './machine-state.ts';
import type { Policy } from './policy.ts';
import type { RoundResult } from './rounds.ts';

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
export function stateByRounds(machine: Machine, policy: Policy): State {
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
