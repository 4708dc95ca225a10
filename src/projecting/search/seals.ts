import { changeSeal } from '../../stores/feed-lease.ts';
import type { FeedContext } from './feed-context.ts';

/*
 * Whether an index is the one that this feeder knows, told by its seal (`Search.seal`):
 *
 *   unknown --begin--> backfill --told of everything--> complete --changed--> complete, under another seal
 *   backfill, complete --its seal is not there--> unknown: it was lost, emptied, or restored from a backup
 *
 * Only a complete index has its seal in the lease, and readers believe no other. A seal is renewed after changes, so that
 * a backup from before them is told from the index itself. It is put on the index before it is put into the lease, and
 * the one before it is taken off much later: so the index always has the one that the lease names.
 */

/** Another feeder has the lease. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

type SealingParts = Pick<FeedContext, 'documents' | 'search' | 'index' | 'owner' | 'nonce'>;

/** `named` is the seal that the lease names. */
export function createSealing(
  { documents, search, index, owner, nonce }: SealingParts,
  named: string | null,
) {
  let known = named;
  let isComplete = named !== null;

  async function say(seal: string | null): Promise<void> {
    if (!(await changeSeal(documents, index, owner, seal)))
      throw new LeaseLost(`another process has the lease of ${index}`);
  }

  /**
   * A seal of this moment, different from all others. Later ones are greater: a feeder takes away those from before its
   * own, and so never one of a feeder that came after it.
   */
  async function newSeal(): Promise<string> {
    return `${Math.floor(await documents.now())
      .toString(36)
      .padStart(9, '0')}-${nonce()}`;
  }

  const isThere = (seals: readonly string[] | null): boolean => known !== null && !!seals?.includes(known);

  return {
    /** Whether readers believe the index. */
    isComplete: () => isComplete,

    /** Looks at the index: what became of it while nobody looked. Changes nothing. */
    look: async (): Promise<'known' | 'unknown' | 'missing' | 'another'> => {
      const seals = await search.seals(index);
      if (seals === null) return 'missing';
      if (known === null) return 'unknown';
      return isThere(seals) ? 'known' : 'another';
    },

    /**
     * Makes the index where there is none; from now on it is being backfilled.
     * @throws {LeaseLost} where another feeder has the lease: then nothing is changed.
     */
    begin: async () => {
      [known, isComplete] = [null, false];
      await say(null);
      await search.declare(index);
      const seal = await newSeal();
      await search.seal(index, seal, []);
      known = seal;
    },

    /** Says that the index has been told of everything. False where it is no longer the one that was told. */
    complete: async () => {
      // Not by the seal that it has had since it was empty: what it has answered since then is on its way, and must not
      // be believed because it is complete by now.
      if (!(await sealAgain())) return false;
      isComplete = true;
      return true;
    },

    /** A new seal for a complete index that was changed. False where it is no longer the one that was changed. */
    renew: sealAgain,
  };

  async function sealAgain(): Promise<boolean> {
    const before = await search.seals(index);
    if (!isThere(before)) return false;
    const seal = await newSeal();
    const older = (before ?? []).filter((one) => known !== null && one < known);
    await search.seal(index, seal, older);
    // Where an older index has taken its place meanwhile, the new seal must not vouch for that one.
    if (!isThere(await search.seals(index))) return false;
    await say(seal);
    known = seal;
    return true;
  }
}
