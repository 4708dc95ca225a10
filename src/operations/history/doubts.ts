import { toInstant } from '../../platform/time/instant.ts';
import type { Past } from '../../projecting/inspect/past.ts';

export type Doubts = ReturnType<typeof doubtsOf>;

/**
 * What makes an answer about the past less than certain, of what was read so far; nothing where the log is whole. `cut`:
 * partitions whose beginning the log no longer holds, with the oldest position kept and when that came into the log, null
 * where nothing is kept. `unreadable`: ranges [from, to) of which nobody knows whom they are about.
 */
export function doubtsOf(pasts: readonly Pick<Past, 'lanes' | 'unreadable'>[]) {
  return {
    cut: pasts
      .flatMap(({ lanes }) => lanes.filter(({ earliest }) => earliest > 0))
      .map(({ topic, partition, earliest, beganAt }) => {
        return { topic, partition, from: earliest, since: beganAt === null ? null : instant(beganAt) };
      }),
    unreadable: pasts.flatMap(({ unreadable }) =>
      unreadable.map(({ topic, partition, from, to, reason }) => ({ topic, partition, from, to, reason })),
    ),
  };
}

/** As people and scripts read it; years that no text has are those of a broken clock. */
export function instant(ms: number): string {
  return toInstant(ms) ?? `${ms} ms`;
}
