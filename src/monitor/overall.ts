import type { History } from './target-history.ts';
import type { State, Transition } from './machine-state.ts';

/** The state of the whole platform, from those of its targets: now, and through time. */

export const INDICATORS = ['none', 'minor', 'major', 'critical'] as const;

interface Member {
  readonly critical: boolean;
  readonly state: State;
}

/** `indicator` is null where the state is unknown. */
export function overallOf(members: readonly Member[]): {
  state: State;
  indicator: (typeof INDICATORS)[number] | null;
} {
  const critical = members.filter((member) => member.critical);
  const down = critical.filter(({ state }) => state === 'down');
  if (critical.length > 0 && down.length === critical.length) return { state: 'down', indicator: 'critical' };
  if (members.some(({ state }) => state === 'down' || state === 'degraded')) {
    return { state: 'degraded', indicator: down.length > 0 ? 'major' : 'minor' };
  }
  if (members.length === 0 || critical.some(({ state }) => state === 'unknown')) {
    return { state: 'unknown', indicator: null };
  }
  return { state: 'up', indicator: 'none' };
}

/** Whose states make that of the whole. */
export type Members = readonly {
  readonly target: Pick<History['target'], 'critical'>;
  readonly transitions: readonly Transition[];
}[];

/**
 * The overall state through time. A target takes part from its first round on, so that one that is added later does not
 * make the time before it unknown; one that was never probed has a say in the present alone.
 */
export function overallTimeline(
  histories: Members,
  stateOf: (known: readonly Member[]) => State = (known) => overallOf(known).state,
): readonly Transition[] {
  const changes = histories
    .flatMap(({ transitions }, member) => transitions.map((change) => ({ member, ...change })))
    .sort((a, b) => a.at - b.at);
  const current: (Member | null)[] = histories.map(() => null);
  const timeline: Transition[] = [];
  for (const [index, { member, at, state }] of changes.entries()) {
    current[member] = { critical: histories[member]?.target.critical ?? false, state };
    // Changes of one moment make one change of the whole.
    if (changes[index + 1]?.at === at) continue;
    const overall = stateOf(current.filter((known) => known !== null));
    if (overall !== timeline.at(-1)?.state) timeline.push({ at, state: overall });
  }
  return timeline;
}
