import { expect, test } from 'vitest';

import { readFile, sourcesWhere } from '../support/sources.ts';

/** Why the clock is the right one, in the files that take an age and do not ask the monotonic clock in the same line. */
const MONOTONIC = 'the caller, or a line above, has asked the monotonic clock';
const STORED =
  'of an instant that is stored, which other processes read: nothing but the clock of its store fits';
const DATA = 'of an instant that upstream or a person names';
const NO_AGE = 'no age: a moment so long ago, or a difference of something else';

const LISTED: Readonly<Record<string, string>> = {
  'src/access/accounts/tokens.ts': NO_AGE,
  'src/access/keys/check-key.ts': MONOTONIC,
  'src/access/quota/allotment.ts': MONOTONIC,
  'src/access/quota/usage.ts': NO_AGE,
  'src/api/pages/account/key-view.ts': DATA,
  'src/api/reading/document-cache.ts': MONOTONIC,
  'src/operations/findings.ts': NO_AGE,
  'src/operations/sample/keep-current.ts': NO_AGE,
  'src/cli/times.ts': NO_AGE,
  'src/events/log/sqlite.ts': NO_AGE,
  'src/monitor/reports-complete-until.ts': DATA,
  'src/monitor/reading/target-hours-cache.ts': MONOTONIC,
  'src/monitor/rounds.ts': NO_AGE,
  'src/operations/act-log.ts': STORED,
  'src/operations/doctor/log.ts': DATA,
  'src/operations/status.ts': STORED,
  'src/platform/time/clock.ts': MONOTONIC,
  'src/projecting/builds/drop-build.ts': STORED,
  'src/projecting/engine/build-throttle.ts': MONOTONIC,
  'src/projecting/inspect/lane-progress.ts': STORED,
  'src/projecting/inspect/search-progress.ts': STORED,
  'src/projecting/health/watch-health.ts': NO_AGE,
  'src/projecting/health/judge-lanes.ts': STORED,
  'src/projecting/health/lane-owners.ts': NO_AGE,
  'src/projecting/health/stall.ts': MONOTONIC,
  'src/projecting/search/send-marked.ts': STORED,
  'src/stores/heartbeats.ts': STORED,
  'src/stores/lag-notes.ts': STORED,
  'src/stores/store-time.ts': MONOTONIC,
  'src/stores/time-limit.ts': MONOTONIC,
};

const PRESENT = String.raw`\bnow(?:\(\)|\.at|\.monotonic)?\)*`;
const AGE = new RegExp(String.raw`${PRESENT} - |- \(?(?:\w+\.)*${PRESENT}|\bisFresh\([^,()]+, [^,]+, `);
/** Every `now` of the file is monotonic: then its ages are. */
const NOW_IS_MONOTONIC = /\bnow = [^;\n]*(?:monotonic|performance\.now)\(\);/;
const NOW_IS_WALL = /\bnow\??: number|\bnow = [^;\n]*(?<!performance)\.now\(\)|\bDate\.now\(\)/;
const BY_MONOTONIC = /\b(?:monotonic|performance\.now)\(\)/;

test('an age within a process is taken by the monotonic clock: the readers of another one are listed with the reason', () => {
  const taking = sourcesWhere((text, path) => {
    if (path.includes('/browser/') || (NOW_IS_MONOTONIC.test(text) && !NOW_IS_WALL.test(text))) return false;
    return text
      .split('\n')
      .some((line) => !/^\s*(?:\*|\/)/.test(line) && AGE.test(line) && !BY_MONOTONIC.test(line));
  });
  expect(taking).toEqual(Object.keys(LISTED).sort());
});

test('who says that an age is monotonic names that clock in its file', () => {
  const saying = Object.keys(LISTED).filter((file) => LISTED[file] === MONOTONIC);
  expect(saying.filter((file) => !/monotonic|performance\.now/.test(readFile(file)))).toEqual([]);
});
