import type { UnreadableRange } from '../../events/log/port.ts';
import type { Past } from '../../projecting/inspect/past.ts';

/** What makes an answer about the past less than certain; nothing where the log is whole. */
export interface Doubts {
  readonly cut: readonly CutLane[];
  /** Nobody knows whom it is about. Positions of a partition: [from, to). */
  readonly unreadable: readonly Pick<UnreadableRange, 'topic' | 'partition' | 'from' | 'to' | 'reason'>[];
}

/** A partition whose beginning the log no longer holds. */
interface CutLane {
  readonly topic: string;
  readonly partition: number;
  /** The oldest position kept. */
  readonly from: number;
  /** When that came into the log, RFC 3339; null where nothing is kept. */
  readonly since: string | null;
}

/** Of what was read so far. */
export function doubtsOf(pasts: readonly Pick<Past, 'lanes' | 'unreadable'>[]): Doubts {
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
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
