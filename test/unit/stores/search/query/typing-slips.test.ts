import { expect, test } from 'vitest';

import { shippedKnowledge } from '../../../../../src/stores/search/query/knowledge.ts';
import { parseQuery } from '../../../../../src/stores/search/query/parse-query.ts';
import { meantOnOtherLayout } from '../../../../../src/stores/search/query/typing-slips.ts';

test.each([
  ['python hf,jnf', 'python работа'],
  ['linux yjdjcnb', 'linux новости'],
  ['чат куфсе', 'чат react'],
  ['hfpujdjh c lheujv', 'разговор с другом'],
  ['новости zapier', null],
  ['хостинг vds', null],
  ['новости мвд', null],
  ['разработка apk', null],
  ['telegram стс', null],
])('%j is meant as %j on the other layout', (typed, meant) => {
  expect(meantOnOtherLayout(typed, shippedKnowledge())).toBe(meant);
});

test('slips are put right where no layout was switched', () => {
  expect(parseQuery('маркитинг apk', shippedKnowledge()).because).toBe('slips');
});

test.each(['\u200E@durov', '@durov\u200B', 't.me/durov\u2060'])('%j is a username', (q) => {
  expect(parseQuery(q, shippedKnowledge())).toMatchObject({ isUsername: true, exact: ['durov'] });
});
