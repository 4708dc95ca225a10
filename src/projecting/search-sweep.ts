import type { Search } from '../stores/search/port.ts';
import { entryOf, markOf } from './marking.ts';
import { compareIndex, type Difference } from './search-comparison.ts';
import type { Feeding } from './search-feeding.ts';
import { removeGone, settle } from './search-settling.ts';

export interface Swept {
  /** How many entries the index should hold. */
  readonly wanted: number;
  /** Documents that were marked again, and entries without a document that were removed. */
  readonly differences: number;
}

/**
 * Compares the whole index with the documents, and marks again whatever differs and has no mark. A `thorough` sweep
 * gives what the engine refused another try as well. Stops after each batch, to let others have their turn.
 */
export async function* sweep(
  feeding: Feeding,
  { thorough }: { readonly thorough: boolean },
): AsyncGenerator<void, Swept> {
  const { projection, index, logger, metrics } = feeding;
  let wanted = 0;
  let differences = 0;
  for await (const compared of compareIndex(projection, feeding)) {
    const differing = compared.differing.filter(isUnnoticed).map(({ stored }) => stored);
    const refused = thorough ? compared.documents.filter(({ body }) => body.dirty?.mark === 'refused') : [];
    const again = [...new Set([...differing, ...refused])];
    await settle(feeding, again, (stored) => markOf(entryOf(projection, stored)));
    const found = differing.length + (await removeGone(feeding, compared.strays));
    metrics.differences.inc({ index }, found);
    differences += found;
    wanted += compared.wanted;
    yield;
  }
  if (differences > 0) logger.warn({ index, differences }, 'the index differed from the documents');
  return { wanted, differences };
}

/** What a document with a mark lacks is under way. Only one that is refused must not be in the index at all. */
function isUnnoticed({ stored, held }: Difference): boolean {
  const mark = stored.body.dirty?.mark;
  return mark === undefined || (mark === 'refused' && held !== null);
}

/** Whether the index holds nothing. */
export async function isEmpty(search: Search, index: string): Promise<boolean> {
  for await (const batch of search.contents(index)) if (batch.length > 0) return false;
  return true;
}
