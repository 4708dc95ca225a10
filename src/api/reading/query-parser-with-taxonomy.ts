import { type Knowledge, knowledgeOf } from '../../stores/search/query/knowledge.ts';
import { shippedSynonyms, type Synonyms } from '../../stores/search/query/synonyms.ts';
import { parseQuery } from '../../stores/search/query/parse-query.ts';
import type { ParsedQuery } from '../../stores/search/query/parsed-query.ts';
import { descendants, type Taxonomy } from './build-taxonomy.ts';

/** What a query means by the synonyms and by the names that categories have now. */
type SearchQueryParser = (q: string, taxonomy: Taxonomy & { readonly digest: string }) => ParsedQuery;

// The shipped synonyms are read by the first search: no start waits for them.
export function createSearchQueryParser(synonyms?: Synonyms): SearchQueryParser {
  let known: { readonly digest: string; readonly knowledge: Knowledge } | null = null;
  return (q, taxonomy) => {
    if (known?.digest !== taxonomy.digest) {
      known = {
        digest: taxonomy.digest,
        knowledge: knowledgeOf(synonyms ?? shippedSynonyms(), named(taxonomy)),
      };
    }
    return parseQuery(q, known.knowledge);
  };
}

function named(taxonomy: Taxonomy) {
  return Array.from(taxonomy.nodes.values(), ({ slug, title }) => ({
    slugs: descendants(taxonomy, slug),
    titles: [title.ru, title.en].filter((text) => typeof text === 'string'),
  }));
}
