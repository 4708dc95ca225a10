import type { Comparison } from '../../../projecting/inspect/diff/comparing.ts';
import { createLeading } from './leading.ts';
import { movementOf, type Movement } from './movement.ts';
import { createPlots, type Plots } from './plots.ts';

/** What two builds come to, side by side: what `--json` prints, and what tables and plots show. */
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

/** `top`: how many movements each list holds at most. `ranked`: whether the read model is. */
export interface Asked extends Pick<Summary, 'before' | 'after' | 'compared_at' | 'fields'> {
  readonly top: number;
  readonly ranked: boolean;
}

export interface Summing {
  add(comparison: Comparison): void;
  summary(): Summary;
  readonly plots: Plots;
}

/** Keeps counts and the largest movements alone, however many entries come by. */
export function sumUp({ top, ranked, ...named }: Asked): Summing {
  const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 };
  const fields = new Map<string, number>();
  const byScore = createLeading<Movement>(top, ({ score }) => Math.abs(score.change ?? 0));
  const byRank = createLeading<Movement>(top, ({ rank }) => Math.abs(rank.gained ?? 0));
  const first = createLeading<Movement>(top, ({ rank }) => (rank.after === null ? 0 : 1 / rank.after));
  const plots = createPlots();
  return {
    plots,
    add: (comparison) => {
      const { outcome } = comparison;
      counts[outcome] += 1;
      if (outcome === 'changed') countFields(comparison, fields);
      const { before, after } = comparison.standing;
      if (before === null && after === null) return;
      const movement = movementOf(comparison);
      byScore.add(movement);
      byRank.add(movement);
      plots.add(movement);
      first.add(movement);
    },
    summary: () => ({
      ...named,
      entries: {
        before: counts.removed + counts.changed + counts.unchanged,
        after: counts.added + counts.changed + counts.unchanged,
      },
      ...counts,
      changed_fields: [...fields]
        .map(([field, entries]) => ({ field, entries }))
        .sort((a, b) => b.entries - a.entries || (a.field < b.field ? -1 : 1)),
      movements: ranked
        ? {
            by_score: byScore.items(),
            by_rank: byRank.items(),
            first: first.items(),
          }
        : null,
    }),
  };
}

function countFields({ fields }: Comparison, counts: Map<string, number>): void {
  const names = new Set([...fields.keys()].map((path) => path.split('.').slice(0, 2).join('.')));
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
}
