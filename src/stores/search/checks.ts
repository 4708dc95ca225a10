import { PermanentError, RetryableError } from '../../platform/errors.ts';
import { MAX_LIMIT, type SearchEntry, type SearchQuery } from './port.ts';

/** What every adapter accepts and answers: the same on every engine. */

const INDEX = /^[a-z][a-z0-9_.@-]{0,63}$/;
const ID = /^[a-z0-9-]{1,128}$/;
const SEAL = /^[a-z0-9-]{1,64}$/;
const MAX_NAMES = 3;
const MAX_Q = 120;

/** @throws {PermanentError} where no index can have this name. */
export function checkIndex(name: string): void {
  if (!INDEX.test(name)) {
    throw new PermanentError(
      `${JSON.stringify(name)} is no name of an index: at most 64 of a-z, 0-9, _ . @ -, a letter first.`,
    );
  }
}

/** @throws {PermanentError} where no index can have this seal. */
export function checkSeal(seal: string): void {
  if (!SEAL.test(seal)) {
    throw new PermanentError(`${JSON.stringify(seal)} is no seal of an index: 1 to 64 of a-z, 0-9 and -.`);
  }
}

/** Why a batch would be refused; null where nothing is wrong with it. */
export function refusal(entries: readonly SearchEntry[]): string | null {
  const seen = new Set<string>();
  for (const entry of entries) {
    const reason = refusalOf(entry) ?? (seen.has(entry.id) ? 'its id is twice in one call' : null);
    if (reason !== null) return `The entry ${JSON.stringify(entry.id).slice(0, 140)} is refused: ${reason}.`;
    seen.add(entry.id);
  }
  return null;
}

/** Whether an index may hold an entry of this id. */
export function isId(id: string): boolean {
  return ID.test(id);
}

/** @throws {PermanentError} where the port does not allow such a query. */
export function checkQuery({ q, offset, limit }: SearchQuery): void {
  if (!q.isWellFormed() || Array.from(q).length > MAX_Q) {
    throw new PermanentError(`A query is at most ${MAX_Q} code points of well-formed text.`);
  }
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw new PermanentError(`An offset of ${offset}: a whole number from 0 is accepted.`);
  }
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new PermanentError(`A limit of ${limit} hits: a whole number from 1 to ${MAX_LIMIT} is accepted.`);
  }
}

function refusalOf({ id, score, names, texts, exact, transliterated }: SearchEntry): string | null {
  if (!isId(id)) return 'an id is 1 to 128 of a-z, 0-9 and -';
  if (!Number.isFinite(score)) return 'its score is no number';
  if (names.length > MAX_NAMES || transliterated.names.length > MAX_NAMES) {
    return `it has more than ${MAX_NAMES} names`;
  }
  const lists = [exact, names, texts, transliterated.names, transliterated.texts];
  if (lists.some((list) => new Set(list).size < list.length)) return 'a text is twice in one of its lists';
  return lists.flat().every((text) => text.isWellFormed()) ? null : 'its text has an unpaired surrogate';
}

export function missing(index: string): RetryableError {
  return new RetryableError(`The search index ${index} does not exist; it has to be made and filled again`);
}
