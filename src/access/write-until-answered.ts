import type { Clock } from '../platform/time/clock.ts';
import { RetryableError } from '../platform/errors.ts';
import type { Documents, Outcome, Write } from '../stores/documents/port.ts';

/** Pauses before each repetition, in milliseconds: short, because a request is waiting. */
const PAUSES_MS = [10, 50];

/**
 * Writes, and where the answer is lost repeats the very same writes, tokens included: the store then tells what
 * became of them. A `conflict` may still be a write that was applied and overwritten since; who must know that reads
 * the document.
 * @throws {RetryableError} where the store stays silent; any part of the writes may have been applied.
 */
export async function writeUntilAnswered<Body>(
  documents: Documents,
  clock: Clock,
  collection: string,
  writes: readonly Write<Body>[],
): Promise<readonly Outcome[]> {
  for (const pause of PAUSES_MS) {
    try {
      return await documents.write(collection, writes);
    } catch (thrown) {
      if (!(thrown instanceof RetryableError)) throw thrown;
      await clock.sleep(pause);
    }
  }
  return await documents.write(collection, writes);
}

/** What `changeDocument` needs, with writes that are repeated until they are answered. */
export function untilAnswered(documents: Documents, clock: Clock): Pick<Documents, 'get' | 'write'> {
  return {
    get: (collection, ids, options) => documents.get(collection, ids, options),
    write: (collection, writes) => writeUntilAnswered(documents, clock, collection, writes),
  };
}
