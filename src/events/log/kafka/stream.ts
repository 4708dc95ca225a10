import { RetryableError } from '../../../platform/errors.ts';
import type { Position } from '../port.ts';
import type { Fetched } from './fetcher.ts';
import type { Slice } from './slices.ts';

/**
 * One partition, slice by slice: from what a fetch has brought for as long as that lasts and the positions join on, else
 * from the next fetch. At most one `next` at a time.
 */
export class PartitionStream {
  #current: { readonly slices: AsyncGenerator<Slice, void, undefined>; next: Position } | null = null;

  /**
   * @param signal aborted where nobody waits for it any more.
   * @param want fetches from `from`; what it brings has one slice at least.
   */
  async next(
    from: Position,
    signal: AbortSignal,
    want: () => Promise<Fetched>,
  ): Promise<Slice | Extract<Fetched, { kind: 'elsewhere' }>> {
    if (this.#current?.next !== from) this.close();
    for (;;) {
      if (this.#current === null) {
        const fetched = await want();
        if (fetched.kind === 'elsewhere') return fetched;
        // Another one may have begun.
        if (signal.aborted) throw new RetryableError('Nobody waits for these records any more.');
        this.#current = { slices: fetched.slices, next: from };
      }
      const current = this.#current;
      const slice = await current.slices.next();
      if (!slice.done) {
        current.next = slice.value.next;
        return slice.value;
      }
      this.#current = null;
    }
  }

  /** Forgets what was fetched and not handed out. */
  close(): void {
    // What is being unpacked at this moment ends with its next piece.
    void this.#current?.slices.return();
    this.#current = null;
  }
}
