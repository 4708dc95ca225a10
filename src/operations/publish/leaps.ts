import type { Parts } from '../../compose/parts.ts';
import type { NewRecord } from '../../events/log/port.ts';
import { isLeap, type Leap, LEAST_LEAP, revisionIn } from '../../projecting/engine/revision-leap.ts';
import type { ReadModelDocument } from '../../projecting/engine/projection.ts';
import { openAliases } from '../../stores/aliases.ts';

/** An event whose revision is far above that of the documents. */
export interface FoundLeap extends Leap {
  readonly where: string;
  readonly subject: string;
}

/** Documents that are read for it, at most: a revision that is no count is seldom alone. */
const MOST_LOOKS = 1000;

export type LeapWatch = ReturnType<typeof createLeapWatch>;

/** Returns what looks at one event after the other, and the leaps that it has found. */
export function createLeapWatch({ documents, projections }: Pick<Parts, 'documents' | 'projections'>) {
  const live = openAliases(documents);
  const found: FoundLeap[] = [];
  let looks = 0;
  return {
    found,
    async look(where: string, { topic, key }: NewRecord, revision: number | null): Promise<void> {
      if (revision === null || key === null || revision <= LEAST_LEAP || looks >= MOST_LOOKS) return;
      looks += 1;
      for (const { name } of projections.filter(({ topics }) => topics.includes(topic))) {
        const alias = await live.read(name);
        const stored =
          alias && (await documents.get<ReadModelDocument>(alias.collection, [key])).get(key)?.body;
        const leap = { from: revisionIn(stored?.registers), to: revision };
        if (isLeap(leap)) found.push({ where, subject: key, ...leap });
      }
    },
  };
}
