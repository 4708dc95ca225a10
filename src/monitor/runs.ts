import type { Evidence, Machine } from './machine-state.ts';
import type { Policy } from './policy.ts';
import type { Round } from './rounds.ts';

/** What a round that somebody reported in adds to what is remembered of the rounds before it. */

export function extendRun({ state, run }: Machine, { result, okAt }: Round, policy: Policy): Machine['run'] {
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

export function extendWindow({ state, window }: Machine, round: Round, policy: Policy): Machine['window'] {
  if (state === 'degraded' || state === 'down') return [];
  const longest = Math.max(policy.degraded_window, policy.fail_rounds, policy.recover_rounds);
  return [...window, evidenceOf(round)].slice(-longest);
}

function evidenceOf({ result, notOkAt, causes }: Round): Evidence | null {
  return result === 'ok' || notOkAt === null ? null : { notOkAt, causes: [...causes] };
}
