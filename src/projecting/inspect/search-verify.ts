import { chunks } from '../../platform/chunks.ts';
import type { Search } from '../../stores/search/port.ts';
import { difference, type Difference, type DifferenceCode, type FoldParts } from './log-fold.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import { StoppedError } from '../engine/retry.ts';
import { PROBE } from '../search/put-and-bisect.ts';
import { compareIndex, wantedOf } from '../search/compare-index.ts';
import type { Verification } from './verify.ts';
import { INDEXED_PARTS, type IndexedParts, indexToFeed } from '../search/feed-context.ts';

/**
 * Verification of a search index: its entries against the documents, ids and digests both ways. It may run beside a
 * working service: what differs is looked at again, and counts only where the document had no mark and did not change
 * from before the index was read until after.
 */
export interface SearchVerification extends Pick<Verification, 'ok' | 'documents' | 'problems' | 'findings'> {
  readonly index: string;
  readonly entries: number;
  /** Documents whose index has still to be told, and knows it. */
  readonly pending: { readonly put: number; readonly remove: number; readonly confirm: number };
  /** Documents whose entry the engine does not accept. */
  readonly refused: number;
}

interface VerifySearchParts extends Pick<FoldParts, 'documents' | 'signal'> {
  readonly search: Search;
  /** Called with the number of documents compared so far. */
  readonly onProgress?: (documents: number) => void;
}

/** Findings listed at most; a lost index must not fill the terminal. */
const LISTED = 100;

/** @throws {StoppedError} where the signal was aborted. */
export async function verifySearch(
  projection: Projection,
  parts: VerifySearchParts,
): Promise<SearchVerification> {
  const marks = { put: 0, remove: 0, confirm: 0, refused: 0 };
  const suspects: string[] = [];
  let [documents, entries] = [0, 0];
  for await (const compared of compareIndex(projection, parts)) {
    if (parts.signal.aborted) throw new StoppedError('stopped');
    for (const { body } of compared.documents) if (body.dirty) marks[body.dirty.mark] += 1;
    for (const { stored } of compared.differing) if (!stored.body.dirty) suspects.push(stored.id);
    // A feeder's probe comes and goes; one that was left behind is a sweep's to remove.
    suspects.push(...compared.strays.filter((id) => id !== PROBE.id));
    documents += compared.documents.length;
    entries += compared.held;
    parts.onProgress?.(documents);
  }
  const findings = suspects.length > 0 ? await lookAgain(projection, parts, suspects) : [];
  const { refused, ...pending } = marks;
  return {
    index: indexToFeed(projection),
    ok: findings.length === 0,
    documents,
    entries,
    pending,
    refused,
    problems: findings.length,
    findings: findings.slice(0, LISTED),
  };
}

interface ExpectedEntry {
  /** null where there is no document. */
  readonly version: string | null;
  /** null for no entry. */
  readonly digest: string | null;
}

/** The documents, the index, and the versions once more: what has not changed around the index is what it must hold. */
async function lookAgain(
  projection: Projection,
  { documents, search, signal }: VerifySearchParts,
  suspects: readonly string[],
): Promise<readonly Difference[]> {
  const collection = collectionOf(projection);
  const expected = new Map<string, ExpectedEntry>();
  for (const ids of chunks(suspects, CHUNK)) {
    if (signal.aborted) throw new StoppedError('stopped');
    const found = await documents.get<IndexedParts>(collection, ids, INDEXED_PARTS);
    for (const id of ids) {
      const stored = found.get(id);
      if (!stored) expected.set(id, { version: null, digest: null });
      else if (!stored.body.dirty)
        expected.set(id, { version: stored.version, digest: wantedOf(projection, stored) });
    }
  }
  const held = new Map<string, string>();
  for await (const batch of search.contents(indexToFeed(projection))) {
    if (signal.aborted) throw new StoppedError('stopped');
    for (const { id, digest } of batch) if (expected.has(id)) held.set(id, digest);
  }
  const findings: Difference[] = [];
  for (const ids of chunks([...expected.keys()], CHUNK)) {
    if (signal.aborted) throw new StoppedError('stopped');
    const versions = await documents.versions(collection, ids);
    for (const id of ids) {
      const before = expected.get(id);
      if (!before || before.version !== (versions.get(id) ?? null)) continue;
      const code = codeOf(before, held.get(id) ?? null);
      if (code !== null) findings.push(difference(id, code));
    }
  }
  return findings;
}

function codeOf({ version, digest }: ExpectedEntry, held: string | null): DifferenceCode | null {
  if (digest === held) return null;
  if (held === null) return 'not_indexed';
  if (digest !== null) return 'indexed_otherwise';
  return version === null ? 'indexed_stray' : 'indexed_unseen';
}

const CHUNK = 500;
