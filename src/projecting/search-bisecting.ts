import { PermanentError } from '../platform/errors.ts';
import type { Stored } from '../stores/documents/port.ts';
import type { Applied, SearchEntry } from '../stores/search/port.ts';
import { entryOf } from './marking.ts';
import type { ReadModelDocument } from './projection.ts';
import { justRead, type Feeding } from './search-feeding.ts';
import { markChanged, removeEntries, settle } from './search-settling.ts';

/*
 * A batch that the engine refuses. One document at fault is found by halving, the others go on. Where there are more of
 * them, the rest keeps its marks and comes with the next lap, so that one bad batch holds up nothing else.
 */

/** A document with what the index is to hold of it. */
export interface Sendable {
  readonly stored: Stored<ReadModelDocument>;
  readonly entry: SearchEntry;
}

/** Puts entries. Where no answer comes, documents that have changed meanwhile are marked again. */
export async function putEntries(feeding: Feeding, batch: readonly Sendable[]): Promise<Applied> {
  const { search, index, metrics } = feeding;
  try {
    const applied = await search.put(
      index,
      batch.map(({ entry }) => entry),
    );
    if (applied.outcome === 'done') metrics.sent.inc({ index, what: 'put' }, batch.length);
    return applied;
  } catch (thrown) {
    await markChanged(feeding, storedOf(batch));
    throw thrown;
  }
}

/**
 * Finds one document that the engine refuses even alone, takes it out of the index and marks it as refused.
 * At most `log2(n) + 2` puts and a removal for n documents.
 * @throws {PermanentError} where the engine accepts nothing at all: then no document is to blame.
 */
export async function isolate(
  feeding: Feeding,
  batch: readonly Sendable[],
  firstReason: string,
): Promise<void> {
  const accepted: Sendable[] = [];
  const untried: Sendable[] = [];
  let suspects = batch;
  let reason = firstReason;
  let isProven = batch.length === 1;
  while (suspects.length > 1 || (suspects.length === 1 && !isProven)) {
    // The last one alone as well: that all the others were accepted is no proof that this one is refused.
    const half = suspects.slice(0, Math.ceil(suspects.length / 2));
    const { tried, applied } = await attempt(feeding, half);
    if (applied.outcome === 'done') {
      accepted.push(...tried);
      suspects = suspects.slice(half.length);
      isProven = false;
    } else {
      untried.push(...suspects.slice(half.length));
      suspects = tried;
      isProven = tried.length === 1;
      reason = applied.reason;
    }
  }
  const rest = await attempt(feeding, untried);
  if (rest.applied.outcome === 'done') accepted.push(...rest.tried);
  await settle(feeding, storedOf(accepted), () => undefined);
  const [culprit] = suspects;
  if (!culprit) return;
  if (accepted.length === 0 && !(await acceptsAnother(feeding, batch))) {
    throw new PermanentError(`The search engine refuses everything: ${reason}`);
  }
  await refuse(feeding, culprit, reason);
}

/** Puts those that have not changed since they were read; the others are marked, and will be sent as they are now. */
async function attempt(
  feeding: Feeding,
  some: readonly Sendable[],
): Promise<{ readonly tried: readonly Sendable[]; readonly applied: Applied }> {
  if (some.length === 0) return { tried: [], applied: { outcome: 'done' } };
  const { documents, collection, clock } = feeding;
  const ids = some.map(({ stored }) => stored.id);
  const versions = await justRead(clock, () => documents.versions(collection, ids));
  const tried = some.filter(({ stored }) => versions.get(stored.id) === stored.version);
  if (tried.length === 0) return { tried, applied: { outcome: 'done' } };
  return { tried, applied: await putEntries(feeding, tried) };
}

/** How many documents are looked through for one that the index should hold already. */
const LOOKED_THROUGH = 100;

/**
 * Whether the engine accepts an entry that it accepted before. Where it was given nothing else to judge by: a disk that
 * cannot be written to must not make the whole catalog unsearchable. A catalog of one document has to be believed.
 */
async function acceptsAnother(feeding: Feeding, batch: readonly Sendable[]): Promise<boolean> {
  const { documents, collection, projection, clock } = feeding;
  const where = { 'dirty.mark': null };
  const { documents: clean } = await justRead(clock, () =>
    documents.find<ReadModelDocument>(collection, { where, order: [], limit: LOOKED_THROUGH }),
  );
  for (const stored of clean) {
    const entry = entryOf(projection, stored);
    if (!entry) continue;
    const { outcome } = await putEntries(feeding, [{ stored, entry }]);
    await settle(feeding, [stored], () => undefined);
    return outcome === 'done';
  }
  return batch.length === 1;
}

/** An older entry of it would be found by words that it no longer has, so it is taken out. */
async function refuse(feeding: Feeding, { stored }: Sendable, reason: string): Promise<void> {
  const { index, logger } = feeding;
  await removeEntries(feeding, [stored]);
  const line = reason.replaceAll(/\s+/g, ' ').slice(0, 500);
  await settle(feeding, [stored], () => ({ mark: 'refused', reason: line }));
  logger.warn({ index, id: stored.id, reason: line }, 'the search engine refuses an entry');
}

function storedOf(batch: readonly Sendable[]): readonly Stored<ReadModelDocument>[] {
  return batch.map(({ stored }) => stored);
}
