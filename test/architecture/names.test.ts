import { basename } from 'node:path';

import { expect, test } from 'vitest';

import { readFile, sourcesWhere } from '../support/sources.ts';

/**
 * Names that are retired: each meant several things, or none that a path could tell. What took their place stands beside them.
 */
const RETIRED_FILES: Readonly<Record<string, string>> = {
  prompt: 'nothing',
  questions: 'response-cache',
  renderings: 'response/',
  words: 'heartbeats; term-keys; texts',
  asking: 'query/',
  understood: 'parsed-query',
  holds: 'match-rule',
  oddness: 'typing-slips',
  want: 'plan',
  evidence: 'event-effect-on-document; conditions-of-concept',
  fulfilling: 'candidates',
  scoring: 'relevance',
  operating: 'operations/',
  performing: 'operations/',
  acts: 'the operation',
  prospect: 'preview',
  settling: 'the operation',
  looking: 'page',
  changing: 'action',
  sending: 'what is sent',
  around: 'what it guards',
  visit: 'operator-context; account-context',
  shown: 'what is shown',
  explained: 'explain-hit',
  matches: 'explain-hit',
  answer: 'print-answer',
  health: 'watch-health',
  'named-shadows': 'shadow-names',
  'seed-build': 'seed-build-from-live',
  'check-conditions': 'check-query-conditions',
  'search-query-parser': 'query-parser-with-taxonomy',
  arrivals: 'publish-outcomes',
  'lane-trouble': 'lane-failures-and-halts',
  together: 'single-flight',
  'give-way': 'yield-to-event-loop',
  'young-generation': 'nothing',
  amounts: 'src/texts/english-amounts',
  'plain-lines': 'text/sanitize',
  evolve: 'event-to-registers',
  remembered: 'cache-bound',
  frame: 'page-context',
  writing: 'docs-context',
  feeding: 'feed-context',
  hits: 'hit-page-cache',
  interpret: 'validate-event',
  judgement: 'judge-lanes',
  longer: 'longer-unrelated-terms',
  bisecting: 'put-and-bisect',
  opening: 'open-database',
  vendor: 'the library',
  lifecycle: 'stop-signal',
  rates: 'rate-limiter',
  plain: 'english-amounts',
  'trouble-view': 'error-view',
  'build-work': 'repeat-for-builds',
  decisions: 'build-omissions',
  goals: 'switch-goals',
  horizon: 'reports-complete-until',
  traits: 'evaluate-condition',
  shared: 'what is shared',
  utils: 'the thing',
  helpers: 'the thing',
  common: 'the thing',
};

/** Participles and such that say nothing of a type. */
const RETIRED_TYPES =
  /^export (?:interface|type|class) (?:Told|Known|Made|Shown|Kept|Said|Given|Asked|Asker|Question|Settled|Found|Had|Wanted|Explained|Counted|Seen|Soon|Voice)\b/gm;

const SOURCES = sourcesWhere(() => true);

test('no file has a retired name', () => {
  const retired = SOURCES.filter((file) => Object.hasOwn(RETIRED_FILES, basename(file, '.ts')));
  expect(SOURCES.length).toBeGreaterThan(400);
  expect(retired.map((file) => `${file}: ${RETIRED_FILES[basename(file, '.ts')]}`)).toEqual([]);
});

test('no exported type is named by a participle that says nothing of it', () => {
  const retired = SOURCES.flatMap((file) =>
    [...readFile(file).matchAll(RETIRED_TYPES)].map(([found]) => `${file}: ${found}`),
  );
  expect(retired).toEqual([]);
});

test('the glossary has at most 35 words, each once', () => {
  const rows = readFile('docs/reference/glossary.md').matchAll(/^\| ([\w -]+?)(?: \(.*?\))? +\|/gm);
  const words = [...rows]
    .map(([, word = '']) => word)
    .filter((word) => word !== 'word' && !word.startsWith('--'));
  expect(words.length).toBeGreaterThan(20);
  expect(words.length).toBeLessThanOrEqual(35);
  expect(new Set(words).size).toBe(words.length);
});
