import type { Position } from '../../events/log/port.ts';
import {
  gather,
  gatherNothing,
  handOver,
  type Gatherable,
  type Gathered,
  type GatheringParts,
} from './gathering.ts';
import type { Projection } from './projection.ts';

/** Where lanes that are behind gather: in the thread that writes, or in one beside it. */
export interface Gatherer {
  /** Begins one gathering; null where it cannot gather for this projection. */
  begin(projection: Projection, from: Position): Gathering | null;
}

/** What one lane gathers, batch by batch. It ends with `finish` or with `discard`. */
export interface Gathering {
  /**
   * Takes a batch in, after those before it. Resolves when another one can be taken.
   * @param rest called now and then, so that others have their turn.
   */
  add(batch: Gatherable, rest: () => Promise<void>): Promise<void>;
  /** How many documents were touched by what is known to be gathered: of what is still under way nothing. */
  readonly documents: number;
  finish(): Promise<Gathered>;
  /** Gives up what was gathered. */
  discard(): void;
}

/** After so many records other lanes, health checks and leases of this thread have their turn. */
const TURN = 500;

/** Gathers in the thread that calls. */
export function gatherHere(parts: GatheringParts, from: Position): Gathering {
  const gathered = gatherNothing(from);
  return {
    add: async ({ records, unreadable = [], next }, rest) => {
      gather(gathered, { records: records.slice(0, TURN), unreadable, next }, parts);
      for (let start = TURN; start < records.length; start += TURN) {
        await rest();
        gather(gathered, { records: records.slice(start, start + TURN), next }, parts);
      }
    },
    get documents() {
      return gathered.added.size;
    },
    finish: async () => handOver(gathered),
    discard: () => undefined,
  };
}
