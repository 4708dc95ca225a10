/**
 * What tells a document that the store refuses from a store that refuses everything. The first is parked, so that it
 * holds up nobody; the second is waited for.
 */
export interface Refusals {
  /** Whether the store has taken a document since it last refused one for good. */
  hasTaken: boolean;
  /** Writes something else, and waits until the store has taken it. `reason` is why a document was refused. */
  readonly prove: (reason: string) => Promise<void>;
}
