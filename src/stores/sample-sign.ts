import type { Clock } from '../platform/time/clock.ts';
import { createConfirmedValue } from '../platform/cache/confirmed-value.ts';
import type { CollectionSpec } from './documents/port.ts';
import type { ReadDocuments } from './time-limit.ts';

/**
 * Whether what is served is the sample. `start` writes a document about it before it appends the first event of the sample, and
 * nothing takes the sample out of a log again: once it is served, it is for good.
 */

export const SAMPLE: CollectionSpec = { name: 'sample', indexes: [] };
/** The id of that document. */
export const SAMPLE_CATALOG = 'catalog';

export type SampleSign = ReturnType<typeof createSampleSign>;

interface SampleSignOptions {
  readonly documents: Pick<ReadDocuments, 'get'>;
  readonly clock: Clock;
  readonly confirmMs: number;
}

export function createSampleSign({ documents, clock, confirmMs }: SampleSignOptions) {
  let known = false;
  let isFailing = false;
  const look = createConfirmedValue({
    read: async () => {
      const found = await documents.get(SAMPLE.name, [SAMPLE_CATALOG]);
      known ||= found.has(SAMPLE_CATALOG);
      return known;
    },
    clock,
    minMs: confirmMs,
    costFactor: 0,
  });
  return {
    /** Never fails because of a store: what was last known counts then. */
    async isServed(): Promise<boolean> {
      if (known) return true;
      const looked = look.current().then(
        (found) => {
          isFailing = false;
          return found;
        },
        // Whatever fails here fails for what is shown, too, and is told there.
        () => {
          isFailing = true;
          return known;
        },
      );
      // Nobody waits for a store that has just failed.
      return isFailing ? known : await looked;
    },
    /** Without asking a store. */
    wasServed: () => known,
  };
}
