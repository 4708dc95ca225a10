import { readFileSync } from 'node:fs';

import { messageOf, UsageError } from '../../../platform/errors.ts';
import { once } from '../../../platform/once.ts';
import { type Knowledge, knowledgeOf } from './knowledge.ts';
import { readSynonyms, type Synonyms } from './synonyms.ts';

/** The synonyms that the service comes with, in `synonyms.txt` beside this file. */
export const shippedSynonyms = once((): Synonyms =>
  readSynonyms(readFileSync(new URL('synonyms.txt', import.meta.url), 'utf8'), 'synonyms.txt'),
);

/**
 * The synonyms in a file of the operator's, in the place of the shipped ones.
 * @throws {UsageError} where it cannot be read, or naming the line that is wrong.
 */
export function synonymsIn(path: string): Synonyms {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (thrown) {
    throw new UsageError(`CATALOG_SYNONYMS: ${path} cannot be read as UTF-8 text: ${messageOf(thrown)}`);
  }
  return readSynonyms(text, `CATALOG_SYNONYMS: ${path}`);
}

/** What is known where nobody says what else there is: the shipped synonyms, and no categories. */
export const shippedKnowledge = once((): Knowledge => knowledgeOf(shippedSynonyms(), []));
