import type { State, Transition } from './machine-state.ts';

/** The state of the whole platform, from those of its targets: now, through time, and in words. */

export const INDICATORS = ['none', 'minor', 'major', 'critical'] as const;
type Indicator = (typeof INDICATORS)[number];

interface Member {
  readonly critical: boolean;
  readonly state: State;
}

/** `indicator` is null where the state is unknown. */
export function overallOf(members: readonly Member[]): { state: State; indicator: Indicator | null } {
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

interface MemberTimeline {
  readonly critical: boolean;
  readonly transitions: readonly Transition[];
}

/**
 * The overall state through time. A target takes part from its first round on, so that one that is added later does not
 * make the time before it unknown; one that was never probed has a say in the present alone.
 */
export function overallTimeline(members: readonly MemberTimeline[]): readonly Transition[] {
  const changes = members
    .flatMap(({ transitions }, member) => transitions.map((change) => ({ member, ...change })))
    .sort((a, b) => a.at - b.at);
  const current: (Member | null)[] = members.map(() => null);
  const timeline: Transition[] = [];
  for (const [index, { member, at, state }] of changes.entries()) {
    current[member] = { critical: members[member]?.critical ?? false, state };
    // Changes of one moment make one change of the whole.
    if (changes[index + 1]?.at === at) continue;
    const overall = overallOf(current.filter((known) => known !== null));
    if (overall.state !== timeline.at(-1)?.state) timeline.push({ at, state: overall.state });
  }
  return timeline;
}

interface Text {
  ru: string;
  en: string;
}

const BY_INDICATOR: Readonly<Record<Indicator, Text>> = {
  none: { ru: 'Всё работает.', en: 'Everything works.' },
  minor: { ru: 'У некоторых служб перебои.', en: 'Some services have problems.' },
  major: { ru: 'Не все основные службы работают.', en: 'Not every critical service works.' },
  critical: { ru: 'Основные службы не работают.', en: 'The critical services are down.' },
};

const NEVER_CHECKED: Text = {
  ru: 'Состояние неизвестно: проверок не было.',
  en: 'The state is unknown: nothing was checked.',
};

const NOT_CHECKED: Text = {
  ru: 'Состояние неизвестно: проверяются не все основные службы.',
  en: 'The state is unknown: not every critical service is being checked.',
};

const FLAPPING: Text = { ru: 'Состояние часто меняется.', en: 'The state keeps changing.' };
const STALE: Text = { ru: 'Данные устарели.', en: 'These data are out of date.' };

interface Said {
  readonly indicator: Indicator | null;
  readonly flapping: boolean;
  readonly stale: boolean;
  /** Whether anything has ever been checked. */
  readonly isChecked: boolean;
}

/** The state in a sentence or two, for people. */
export function textOf({ indicator, flapping, stale, isChecked }: Said): Text {
  const unknown = isChecked ? NOT_CHECKED : NEVER_CHECKED;
  const sentences = [
    indicator === null ? unknown : BY_INDICATOR[indicator],
    ...(flapping ? [FLAPPING] : []),
    ...(stale ? [STALE] : []),
  ];
  return { ru: sentences.map(({ ru }) => ru).join(' '), en: sentences.map(({ en }) => en).join(' ') };
}
