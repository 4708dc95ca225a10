import { readFileSync } from 'node:fs';

import { type Knowledge, knowledgeOf } from './knowledge.ts';
import { readSynonyms, type Synonyms } from './synonyms.ts';

let synonyms: Synonyms | null = null;
let knowledge: Knowledge | null = null;

/** The synonyms that the service comes with, in `synonyms.txt` beside this file. */
export function shippedSynonyms(): Synonyms {
  return (synonyms ??= readSynonyms(
    readFileSync(new URL('synonyms.txt', import.meta.url), 'utf8'),
    'synonyms.txt',
  ));
}

/** What is known where nobody says what else there is: the shipped synonyms, and no categories. */
export function shippedKnowledge(): Knowledge {
  return (knowledge ??= knowledgeOf(shippedSynonyms(), []));
}
