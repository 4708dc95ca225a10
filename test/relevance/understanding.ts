import { readCategories, type SampleCategory } from '../../src/sample/catalog.ts';
import { knowledgeOf } from '../../src/stores/search/asking/knowledge.ts';
import { shippedSynonyms } from '../../src/stores/search/asking/shipped.ts';
import { understand } from '../../src/stores/search/asking/understand.ts';
import type { Understood } from '../../src/stores/search/asking/understood.ts';

/** What queries mean to a service that has the shipped synonyms, and the categories of the sample. */
export function sampleUnderstanding(): (q: string) => Understood {
  const categories = readCategories();
  const knowledge = knowledgeOf(
    shippedSynonyms(),
    categories.map(({ slug, title }) => ({
      slugs: withBelow(slug, categories),
      titles: [title.ru, title.en],
    })),
  );
  return (q) => understand(q, knowledge);
}

function withBelow(slug: string, categories: readonly SampleCategory[]): readonly string[] {
  const below = categories.filter(({ parent }) => parent === slug);
  return [slug, ...below.flatMap((one) => withBelow(one.slug, categories))];
}
