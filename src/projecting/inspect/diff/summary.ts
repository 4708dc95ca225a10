import type { Comparison, Sides } from './compare-entry.ts';
import { keepLargest, type Movement, movementOf } from './movements.ts';

/** What two builds come to, side by side: what `--json` prints, and what tables and the plot show. */
export interface Summary {
  readonly before: string;
  readonly after: string;
  /** When, RFC 3339 in UTC. */
  readonly compared_at: string;
  /** The fields that count as a change, as they were given; null for all. */
  readonly fields: readonly string[] | null;
  /** How many entries readers see in each. */
  readonly entries: { readonly before: number; readonly after: number };
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
  /** In how many of the changed entries a field differs, the most first; by the first two names of its path. */
  readonly changed_fields: readonly { readonly field: string; readonly entries: number }[];
  /** null where the read model is not ranked. */
  readonly movements: Movements | null;
}

export interface Movements {
  /** The largest first, among the entries that both have. */
  readonly by_score: readonly Movement[];
  readonly by_rank: readonly Movement[];
  /** Those that lead afterwards, in their order. */
  readonly first: readonly Movement[];
}

/** Entries whose score was about `before` and is about `after`, both rounded to whole points. */
export interface Dot {
  readonly before: number;
  readonly after: number;
  readonly entries: number;
}

/** `top`: how many movements each list holds at most. `ranked`: whether the read model is. */
interface SummaryOptions extends Pick<Summary, 'before' | 'after' | 'compared_at' | 'fields'> {
  readonly top: number;
  readonly ranked: boolean;
}

export type SummaryBuilder = ReturnType<typeof sumUp>;

/** Keeps counts and the largest movements alone, however many entries come by. */
export function sumUp({ top, ranked, ...named }: SummaryOptions) {
  const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 };
  const fields = new Map<string, number>();
  const dots = new Map<string, Dot>();
  const byScore = keepLargest(top, ({ score }) => Math.abs(score.change ?? 0));
  const byRank = keepLargest(top, ({ rank }) => Math.abs(rank.gained ?? 0));
  const first = keepLargest(top, ({ rank }) => (rank.after === null ? 0 : 1 / rank.after));
  return {
    add: (comparison: Comparison): void => {
      const { outcome, score } = comparison;
      counts[outcome] += 1;
      if (outcome === 'changed') countFields(comparison, fields);
      if (score.before === null && score.after === null) return;
      const movement = movementOf(comparison);
      for (const list of [byScore, byRank, first]) list.add(movement);
      addDot(score, dots);
    },
    summary: (): Summary => ({
      ...named,
      entries: {
        before: counts.removed + counts.changed + counts.unchanged,
        after: counts.added + counts.changed + counts.unchanged,
      },
      ...counts,
      changed_fields: [...fields]
        .map(([field, entries]) => ({ field, entries }))
        .sort((a, b) => b.entries - a.entries || (a.field < b.field ? -1 : 1)),
      movements: ranked ? { by_score: byScore.kept(), by_rank: byRank.kept(), first: first.kept() } : null,
    }),
    /** What a page draws. */
    dots: (): readonly Dot[] => [...dots.values()],
  };
}

function countFields({ fields }: Comparison, counts: Map<string, number>): void {
  const names = new Set([...fields.keys()].map((path) => path.split('.').slice(0, 2).join('.')));
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
}

function addDot({ before: was, after: is }: Sides, dots: Map<string, Dot>): void {
  if (was === null || is === null) return;
  const [before, after] = [Math.round(was), Math.round(is)];
  const place = `${before} ${after}`;
  dots.set(place, { before, after, entries: (dots.get(place)?.entries ?? 0) + 1 });
}
