import type { Clock } from '../platform/time/clock.ts';
import type { CollectionSpec, Documents, Stored } from '../stores/documents/port.ts';
import { removeAll, replaceDocument } from '../stores/documents/change-document.ts';

/**
 * What instances tell each other: logs of numbered notices, one collection each. Nobody overwrites a notice, so that
 * whoever has read up to a number misses nothing behind it, however many post at once.
 */

const BY_NUMBER = [['number'], ['-number']];
/** Accounts of which keys are about to end. Whoever changes accounts posts them. */
export const KEY_NOTICES: CollectionSpec = { name: 'key-notices', indexes: BY_NUMBER };
/** Days of places (`2026-11-20/acme/1`) with little left: whoever holds some of one gives it back. Whoever counts posts them. */
export const QUOTA_NOTICES: CollectionSpec = { name: 'quota-notices', indexes: BY_NUMBER };

interface Notice {
  /** From 1. */
  readonly number: number;
  /** What it is about, by name. */
  readonly about: readonly string[];
}

/** The newest notices that are kept. Who has missed more starts anew. */
const KEPT = 10_000;
/** So many are read at once. */
const PAGE = 100;

/** By ten digits, ids are in the order of the numbers. */
function idOf(number: number): string {
  return String(number).padStart(10, '0');
}

/** Resolves when every later look of any instance finds the notice. @throws {RetryableError} where that is not known. */
export async function postNotice(
  documents: Documents,
  { name }: CollectionSpec,
  about: readonly string[],
): Promise<void> {
  for (;;) {
    const number = ((await newestNotice(documents, name))?.body.number ?? 0) + 1;
    const body: Notice = { number, about };
    const version = await replaceDocument(documents, name, { id: idOf(number) }, body);
    // Where the number is taken by now, somebody else was told: the next one is tried.
    if (version === null) continue;
    if (number > KEPT) await removeAll(documents, name, [idOf(number - KEPT)]);
    return;
  }
}

/** null where nothing was ever posted. As no failover can take it back: its number would be given twice. */
async function newestNotice(documents: Documents, name: string): Promise<Stored<Notice> | null> {
  const query = { where: {}, order: ['-number'], limit: 1, durable: true } as const;
  return (await documents.find<Notice>(name, query)).documents[0] ?? null;
}

export interface Follower {
  told(about: readonly string[]): void;
  /** Notices may have been missed, as at the first look: nothing that was learnt from the store before can be relied on. */
  missed(): void;
}

/** One collection of notices, as one process reads them. */
export function followNotices(
  documents: Documents,
  clock: Pick<Clock, 'monotonic'>,
  { name }: CollectionSpec,
  follower: Follower,
) {
  /** The newest that was read; null where there was none. */
  let newest: Stored<Notice> | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  return {
    /** When the last look began that found all that had been posted: monotonic milliseconds; -Infinity before the first. */
    get lookedAt(): number {
      return lookedAt;
    },

    /** Looks for new notices; one look for all who ask meanwhile. The follower is told before it resolves. */
    look: (): Promise<void> => (looking ??= lookOnce().finally(() => (looking = null))),
  };

  async function lookOnce(): Promise<void> {
    const beganAt = clock.monotonic();
    if (lookedAt === Number.NEGATIVE_INFINITY || !(await readBehindNewest())) {
      newest = await newestNotice(documents, name);
      follower.missed();
    }
    lookedAt = beganAt;
  }

  /** false where the newest that was known is gone: too many have come since, or the store was brought back from a copy. */
  async function readBehindNewest(): Promise<boolean> {
    const known = newest;
    const page = await documents.find<Notice>(name, {
      where: { number: { gte: known?.body.number ?? 1 } },
      order: ['number'],
      limit: PAGE,
    });
    const [first] = page.documents;
    const isNext = known ? first?.version === known.version : (first?.body.number ?? 1) === 1;
    if (!isNext) return false;
    for (const notice of known ? page.documents.slice(1) : page.documents) {
      follower.told(notice.body.about);
      newest = notice;
    }
    return page.next === null || (await readBehindNewest());
  }
}
