import { expect, test } from 'vitest';
import { words } from '../support/words.ts';
import { readFile, sourcesWhere } from '../support/sources.ts';

/*
 * Whoever writes to a build keeps the pause of a switch, or says why it need not. docs/design/builds.md
 * lists them all; a writer that is not in the list makes this test red.
 */

const PAGE = 'docs/design/builds.md';

/** A call on a collection that is not spelled out as one of our own, such as `PARKED.name`. */
const CALLS = [
  /\bdocuments\s*\.\s*(?:write|remove|drop)\((?!\s*[A-Z_]+\.name\b)/,
  /(?<!function )\b(?:changeDocument(?:For)?|replaceDocument|removeDocument)(?:<[^(]*>)?\(\s*\w+,(?!\s*[A-Z_]+\.name\b)/,
];
/** Functions that write to whatever build they are given: who calls them is a writer as well. */
const CARRIERS = [
  ...words('writeDocuments applyEvents changeDocuments foldDecoded foldBatch takePass foldBeside'),
  ...words('redrive writeMarks'),
];
const CARRIER_CALL = new RegExp(`(?<!function )\\b(?:${CARRIERS.join('|')})(?:<\\w+>)?\\(`);
/** Adapters and what stands around a store, and documents that are no read model's. */
const ELSEWHERE = [
  ...words('src/stores/documents/ src/stores/store-identity.ts src/stores/heartbeats.ts src/access/'),
  ...words('src/monitor/ src/operations/doctor/'),
];

test('every writer of builds stands in the list, with how it keeps a pause', () => {
  const writers = sourcesWhere(
    (text, path) =>
      !ELSEWHERE.some((prefix) => path.startsWith(prefix)) &&
      [...CALLS, CARRIER_CALL].some((pattern) => pattern.test(text)),
  );
  const listed = [...readFile(PAGE).matchAll(/^\| `(src\/\S+\.ts)` +\| \S/gm)].map(([, file = '']) => file);
  expect(writers).toEqual(listed.toSorted());
});
