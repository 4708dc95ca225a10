import type { Clock } from '../../../platform/clock.ts';
import type { PartitionEnds } from '../port.ts';

/**
 * For so long a reading of ends waits for others to share it, in milliseconds: lanes that have nothing to read all look
 * at their log at the same time.
 */
const SHARED_MS = 5;

type Ends = readonly PartitionEnds[];

interface SharedEndsParts {
  readonly clock: Clock;
  /** Those of one topic. */
  readonly alone: (topic: string) => Promise<Ends>;
  /** Those of several topics in one go; null where each has to be asked for alone. */
  readonly together: (topics: readonly string[]) => Promise<ReadonlyMap<string, Ends> | null>;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/** Reads the ends of all topics that are asked for at the same time in one go. */
export class SharedEnds {
  readonly #parts: SharedEndsParts;
  /** Those who wait for the reading that has not begun, by topic. */
  #gathered: Map<string, PromiseWithResolvers<Ends>> | null = null;

  constructor(parts: SharedEndsParts) {
    this.#parts = parts;
  }

  of(topic: string): Promise<Ends> {
    if (this.#gathered === null) {
      this.#gathered = new Map();
      void this.#read(this.#gathered);
    }
    const known = this.#gathered.get(topic) ?? Promise.withResolvers<Ends>();
    this.#gathered.set(topic, known);
    return known.promise;
  }

  async #read(gathered: ReadonlyMap<string, PromiseWithResolvers<Ends>>): Promise<void> {
    const { clock, alone, together, signal } = this.#parts;
    await clock.sleep(SHARED_MS, signal);
    // Whoever asks from here on is to be told of what is there by then.
    this.#gathered = null;
    try {
      const found = gathered.size > 1 ? await together([...gathered.keys()]) : null;
      for (const [topic, { resolve }] of gathered) resolve(found?.get(topic) ?? alone(topic));
    } catch (thrown) {
      for (const { reject } of gathered.values()) reject(thrown);
    }
  }
}
