import type { Collection } from 'mongodb';

import { RetryableError } from '../../../platform/errors.ts';
import type { Outcome } from '../port.ts';
import { bulkWrite, refuse, versionsOf } from './bulk-write.ts';
import type { Change } from './changes.ts';
import { DUPLICATE_KEY, isPassing } from './error-codes.ts';
import type { StoredDocument } from './stored.ts';

/** Changes whose outcomes are not known yet. */
export class Pending {
  readonly outcomes = new Map<string, Outcome>();
  #open: readonly Change[];

  constructor(changes: readonly Change[]) {
    this.#open = changes;
  }

  /**
   * Sends what is open and notes its outcomes. Safe to repeat after any failure: what was applied shows its token.
   * @throws {RetryableError} where something is still open.
   * @throws {RefusedForGood | RefusedForNow} where the server refuses documents.
   */
  async send(collection: Collection<StoredDocument>): Promise<void> {
    const sent = this.#open;
    const { applied, failures } = await bulkWrite(collection, sent);
    const busy = sent.filter((_, at) => isPassing(failures.get(at)?.code ?? 0));
    refuse(sent, failures);
    const guarded = sent.filter(({ read }, at) => read !== null && !failures.has(at));
    const asked = [
      ...sent.filter((_, at) => failures.get(at)?.code === DUPLICATE_KEY),
      ...(applied < guarded.length ? guarded : []),
    ];
    const unsure = new Set([...asked, ...busy]);
    for (const change of sent) if (!unsure.has(change)) this.outcomes.set(change.id, 'done');
    const left = [...busy, ...(await this.#settle(collection, asked))];
    this.#open = left;
    if (left.length > 0) {
      throw new RetryableError(`${left.length} documents of ${collection.collectionName} were busy`);
    }
  }

  /** Answers what is to be sent again: not applied, and yet the version is the one that was read. */
  async #settle(
    collection: Collection<StoredDocument>,
    asked: readonly Change[],
  ): Promise<readonly Change[]> {
    if (asked.length === 0) return [];
    const found = await versionsOf(
      collection,
      asked.map(({ id }) => id),
    );
    const left: Change[] = [];
    for (const change of asked) {
      const settled = change.settle(found.get(change.id));
      if (settled === 'open') left.push(change);
      else this.outcomes.set(change.id, settled);
    }
    return left;
  }
}
