import { messageOf, RetryableError } from '../../platform/errors.ts';
import { refusedIds, type Documents, type Outcome, type Write } from '../../stores/documents/port.ts';
import { LaneReplaced } from './guarded-checkpoint.ts';
import { StoppedError, type Retry } from './retry.ts';

/** What became of a document: written, in conflict, or refused for good, with the store's last word on it. */
type WriteResult = Outcome | { readonly refused: Error };

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

export interface WritingOptions {
  readonly documents: Documents;
  readonly retry: Retry;
  readonly pause: (attempt: number) => Promise<void>;
  /** Without it nobody asks whether the store refuses everything: for one document that a person waits for. */
  readonly refusals?: Refusals;
}

/** So many times a document is refused, alone, by a store that takes other writes in between, until it is left out. */
const REFUSALS = 5;
/** The pauses between them begin where those of conflicts are some tenths of a second long. */
const PAUSE_FROM = 4;

/**
 * Writes documents, each guarded, and waits for a store that is in trouble. Documents that are refused hold up no
 * other: those are written, the refused ones tried alone. By id.
 * @throws whatever the store refused with, where it refuses everything: then no document is blamed.
 */
export async function writeDocuments<Body>(
  collection: string,
  writes: readonly Write<Body>[],
  { documents, retry, pause, refusals }: WritingOptions,
): Promise<ReadonlyMap<string, WriteResult>> {
  const written = new Map<string, WriteResult>();

  /** Why the store refuses these writes; null where it has taken them. */
  async function attempt(some: readonly Write<Body>[]): Promise<Error | null> {
    try {
      // The same writes, with the same tokens, at every repetition: a lost answer is then told from a conflict.
      const outcomes = await retry('writing documents', async () => {
        try {
          return await documents.write(collection, some);
        } catch (thrown) {
          if (thrown instanceof RetryableError && refusedIds(thrown).length > 0) return thrown;
          throw thrown;
        }
      });
      if (outcomes instanceof RetryableError) return outcomes;
      for (const [index, { id }] of some.entries()) written.set(id, outcomes[index] ?? 'conflict');
      return null;
    } catch (thrown) {
      if (thrown instanceof StoppedError || thrown instanceof LaneReplaced || !(thrown instanceof Error))
        throw thrown;
      // Retried without an end where it is one: this is not.
      return thrown;
    }
  }

  const first = await attempt(writes);
  if (first === null) {
    if (refusals && writes.length > 0) refusals.hasTaken = true;
    return written;
  }
  let suspects = await separate(writes, first, attempt);
  const hasTakenAny = suspects.size < writes.length;
  if (!hasTakenAny && (writes.length > 1 || refusals?.hasTaken === false)) throw first;
  for (let refused = 1; ; refused += 1) {
    for (const [, reason] of suspects) await refusals?.prove(`a document is refused: ${messageOf(reason)}`);
    if (refused === REFUSALS || suspects.size === 0) break;
    await pause(PAUSE_FROM + refused);
    const left = new Map<Write<Body>, Error>();
    for (const [write] of suspects) {
      const reason = await attempt([write]);
      if (reason) left.set(write, reason);
    }
    suspects = left;
  }
  for (const [{ id }, refused] of suspects) written.set(id, { refused });
  if (refusals) refusals.hasTaken = suspects.size < writes.length;
  return written;
}

/** Writes all but those that are refused: named by the store, or, where it names none, found one by one. */
async function separate<Body>(
  writes: readonly Write<Body>[],
  refusal: Error,
  attempt: (some: readonly Write<Body>[]) => Promise<Error | null>,
): Promise<Map<Write<Body>, Error>> {
  const refused = new Map<Write<Body>, Error>();
  let reason: Error | null = refusal;
  let left = writes;
  while (reason && left.length > 0) {
    const because: Error = reason;
    const blamed = new Set(refusedIds(because));
    const named = left.filter(({ id }) => blamed.has(id));
    if (named.length === 0) break;
    for (const write of named) refused.set(write, because);
    left = left.filter(({ id }) => !blamed.has(id));
    reason = left.length > 0 ? await attempt(left) : null;
  }
  if (reason === null) return refused;
  if (writes.length === 1) return new Map(writes.map((write) => [write, refusal]));
  for (const write of left) {
    const own = await attempt([write]);
    if (own) refused.set(write, own);
  }
  return refused;
}
