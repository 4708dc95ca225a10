import { readCategories, type SampleCategory } from '../../src/sample/catalog.ts';
import { knowledgeOf } from '../../src/stores/search/query/knowledge.ts';
import { shippedSynonyms } from '../../src/stores/search/query/synonyms.ts';
import { parseQuery } from '../../src/stores/search/query/parse-query.ts';
import type { ParsedQuery } from '../../src/stores/search/query/parsed-query.ts';

/** What queries mean to a service that has the shipped synonyms, and the categories of the sample. */
export function sampleUnderstanding(): (q: string) => ParsedQuery {
  const categories = readCategories();
  const knowledge = knowledgeOf(
    shippedSynonyms(),
    categories.map(({ slug, title }) => ({
      slugs: withBelow(slug, categories),
      titles: [title.ru, title.en],
    })),
  );
  return (q) => parseQuery(q, knowledge);
}

function withBelow(slug: string, categories: readonly SampleCategory[]): readonly string[] {
  const below = categories.filter(({ parent }) => parent === slug);
  return [slug, ...below.flatMap((one) => withBelow(one.slug, categories))];
}
