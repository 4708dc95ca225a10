import { expect, test } from 'vitest';

import { NO_SYNONYMS } from '../../../../src/stores/search/query/synonyms.ts';
import { knowledgeOf } from '../../../../src/stores/search/query/knowledge.ts';
import { parseQuery } from '../../../../src/stores/search/query/parse-query.ts';
import { type Hit, hitOf } from '../../../../src/stores/search/meilisearch/found.ts';
import { namesakes, nearest, ordered } from '../../../../src/stores/search/meilisearch/ranking.ts';
import { storedOf } from '../../../../src/stores/search/meilisearch/stored.ts';
import { planOf } from '../../../../src/stores/search/ranking/plan.ts';
import { type Described, entry } from '../../../contracts/search-bench.ts';

const nothingKnown = knowledgeOf(NO_SYNONYMS, []);

function hit(id: string, described: Described): Hit {
  return hitOf({ ...storedOf(entry(id, described)) });
}

test('what has more of the query comes first; of equals, what came first', () => {
  const plan = planOf(parseQuery('rust chat', nothingKnown));
  const hits = [
    hit('kind', { titles: ['Rust'], kind: 'channel' }),
    hit('text', { titles: ['Chat'], texts: ['about rust'] }),
    hit('other', { titles: ['Go chat'] }),
    hit('names', { titles: ['Chat of Rust'] }),
  ];
  expect(plan.full && ordered(plan.full, hits)).toEqual(['names', 'kind', 'text']);
});

test('names equal to the query as typed come before those that only sound so', () => {
  const plan = planOf(parseQuery('докер', nothingKnown));
  const hits = [
    hit('sound', { titles: ['Docker'] }),
    hit('typed', { titles: ['Докер'] }),
    hit('longer', { titles: ['Докер RU'] }),
  ];
  expect(namesakes(plan, hits)).toEqual(['typed', 'sound', 'typed']);
});

test('names with fewer slips come first, and those with too many not at all', () => {
  const hits = [
    hit('two', { titles: ['kubirentes'] }),
    hit('one', { titles: ['kubernets'] }),
    hit('far', { titles: ['docker'] }),
  ];
  expect(nearest(['kubernetes'], hits)).toEqual(['one', 'two']);
});
