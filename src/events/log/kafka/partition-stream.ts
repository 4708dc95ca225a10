import { RetryableError } from '../../../platform/errors.ts';
import type { Batch, Position } from '../port.ts';
import type { Fetched } from './want.ts';

export type Elsewhere = Extract<Fetched, { kind: 'elsewhere' }>;

/**
 * One partition, batch by batch: from what a fetch has brought for as long as that lasts and the positions join on, else
 * from the next fetch. At most one `next` that somebody still waits for.
 */
export class PartitionStream {
  readonly #fetch: (from: Position, signal: AbortSignal) => Promise<Fetched>;
  #rest: { readonly batches: Iterator<Batch, void, undefined>; next: Position } | null = null;

  constructor(fetch: (from: Position, signal: AbortSignal) => Promise<Fetched>) {
    this.#fetch = fetch;
  }

  /** @param signal aborted where nobody waits for it any more. */
  async next(from: Position, signal: AbortSignal): Promise<Batch | Elsewhere> {
    if (this.#rest?.next !== from) this.close();
    for (;;) {
      if (this.#rest === null) {
        const fetched = await this.#fetch(from, signal);
        if (fetched.kind === 'elsewhere') return fetched;
        // Another one may have begun.
        if (signal.aborted) throw new RetryableError('Nobody waits for these records any more.');
        this.#rest = { batches: fetched.batches, next: from };
      }
      const rest = this.#rest;
      const batch = rest.batches.next();
      if (!batch.done) {
        rest.next = batch.value.next;
        return batch.value;
      }
      this.#rest = null;
    }
  }

  /** Forgets what was fetched and not handed out. */
  close(): void {
    this.#rest = null;
  }
}
