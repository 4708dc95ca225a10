import { PermanentError } from '../../platform/errors.ts';
import type { Stored } from '../../stores/documents/port.ts';
import type { Applied, SearchEntry } from '../../stores/search/port.ts';
import { type FeedContext, type IndexedParts, justRead } from './feed-context.ts';
import { markChanged, removeEntries, acknowledge } from './acknowledge.ts';

/*
 * A batch that the engine refuses. One document at fault is found by halving, the others go on. Where there are more of
 * them, the rest keeps its marks and comes with the next pass, so that one bad batch holds up nothing else.
 */

/** A document with what the index is to hold of it. */
export interface Sendable {
  readonly stored: Stored<IndexedParts>;
  readonly entry: SearchEntry;
}

/** Puts entries. Where no answer comes, documents that have changed meanwhile are marked again. */
export async function putEntries(context: FeedContext, batch: readonly Sendable[]): Promise<Applied> {
  const { search, index, metrics } = context;
  try {
    const entries = batch.map(({ entry }) => entry);
    const applied = await search.put(index, entries);
    if (applied.outcome === 'done') metrics.sent.inc({ index, what: 'put' }, batch.length);
    return applied;
  } catch (thrown) {
    await markChanged(context, storedOf(batch));
    throw thrown;
  }
}

/**
 * Finds one document that the engine refuses even alone, takes it out of the index and marks it as refused.
 * At most `log2(n) + 2` puts and a removal for n documents.
 * @throws {PermanentError} where the engine accepts nothing at all: then no document is to blame.
 */
export async function isolate(
  context: FeedContext,
  batch: readonly Sendable[],
  reason: string,
): Promise<void> {
  const acknowledged = new Set<Sendable>();
  try {
    const { accepted, culprit } = await halve(context, batch, reason);
    await acknowledge(context, storedOf(accepted), () => undefined);
    for (const one of accepted) acknowledged.add(one);
    if (!culprit) return;
    if (accepted.length === 0 && !(await acceptsAny(context)))
      throw new PermanentError(`The search engine refuses everything: ${culprit.reason}`);
    await refuse(context, culprit.sendable, culprit.reason);
    acknowledged.add(culprit.sendable);
  } finally {
    // Any part of a batch that was refused may have landed.
    await markChanged(context, storedOf(batch.filter((one) => !acknowledged.has(one))));
  }
}

/** What is neither accepted nor the culprit keeps its mark. */
async function halve(context: FeedContext, batch: readonly Sendable[], firstReason: string) {
  const accepted: Sendable[] = [];
  const untried: Sendable[] = [];
  let suspects = batch;
  let reason = firstReason;
  // The last one is tried alone as well: that all the others were accepted does not prove that it is refused.
  let isProven = batch.length === 1;
  while (suspects.length > 0 && !isProven) {
    const half = suspects.slice(0, Math.ceil(suspects.length / 2));
    const { tried, applied } = await attempt(context, half);
    if (applied.outcome === 'done') {
      accepted.push(...tried);
      suspects = suspects.slice(half.length);
    } else {
      untried.push(...suspects.slice(half.length));
      suspects = tried;
      isProven = tried.length === 1;
      reason = applied.reason;
    }
  }
  const rest = await attempt(context, untried);
  if (rest.applied.outcome === 'done') accepted.push(...rest.tried);
  const [sendable] = suspects;
  return { accepted, culprit: sendable ? { sendable, reason } : null };
}

/** Puts those that have not changed since they were read; the others are marked, and will be sent as they are now. */
async function attempt(
  context: FeedContext,
  some: readonly Sendable[],
): Promise<{ readonly tried: readonly Sendable[]; readonly applied: Applied }> {
  if (some.length === 0) return { tried: [], applied: { outcome: 'done' } };
  const { documents, collection } = context;
  const ids = some.map(({ stored }) => stored.id);
  const versions = await justRead(context, () => documents.versions(collection, ids));
  const tried = some.filter(({ stored }) => versions.get(stored.id) === stored.version);
  if (tried.length === 0) return { tried, applied: { outcome: 'done' } };
  return { tried, applied: await putEntries(context, tried) };
}

/** No slug begins with a hyphen, so this is nobody's entry. A sweep would remove it if it were left behind. */
export const PROBE: SearchEntry = {
  id: '-probe-',
  kind: '',
  category: null,
  score: 0,
  exact: [],
  names: ['catalogprobe'],
  texts: [],
  transliterated: { names: ['catalogprobe'], texts: [] },
};

/**
 * Whether the engine accepts an entry that nothing is wrong with. Asked where it has accepted none of a batch: an engine
 * that can write nothing must not make the whole catalog unsearchable.
 */
async function acceptsAny({ search, index }: FeedContext): Promise<boolean> {
  const { outcome } = await search.put(index, [PROBE]);
  await search.remove(index, [PROBE.id]);
  return outcome === 'done';
}

/** An older entry of it would be found by words that it no longer has, so it is taken out. */
async function refuse(context: FeedContext, { stored }: Sendable, reason: string): Promise<void> {
  const { index, logger } = context;
  await removeEntries(context, [stored]);
  const line = reason.replaceAll(/\s+/g, ' ').slice(0, 500);
  await acknowledge(context, [stored], () => ({ mark: 'refused', reason: line }));
  logger.warn({ index, id: stored.id, reason: line }, 'the search engine refuses an entry');
}

function storedOf(batch: readonly Sendable[]): readonly Stored<IndexedParts>[] {
  return batch.map(({ stored }) => stored);
}
