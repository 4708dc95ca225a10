import type { TargetData } from '../history.ts';
import {
  createTargetHours,
  type HeldHours,
  type TargetHours,
  type TargetHoursOptions,
} from './target-hours.ts';

/** A target as one poll found it; what has not changed in it since is in the very objects of the poll before. */
export type PolledTarget = TargetData & HeldHours;

/** Returns what polls all targets of a read model as they are at a moment of the store's clock, one call after the other. */
export function createReadModel(
  options: Omit<TargetHoursOptions, 'target'>,
): (now: number) => Promise<readonly PolledTarget[]> {
  const known = new Map<string, TargetHours>();
  return async (now) => {
    const defined = await options.documents.targets();
    const byName = new Map(defined.map((target) => [`${target.target} ${target.since}`, target]));
    for (const name of known.keys()) if (!byName.has(name)) known.delete(name);
    const targets: PolledTarget[] = [];
    // One after the other: the first poll of each may read thousands of hours.
    for (const [name, target] of byName) {
      const hours = known.getOrInsertComputed(name, () => createTargetHours({ ...options, target }));
      targets.push({ target, ...(await hours.poll(now)) });
    }
    return targets;
  };
}
