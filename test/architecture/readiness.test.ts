import { expect, test } from 'vitest';

import { sourcesWhere } from '../support/sources.ts';

/**
 * Every place that decides whether a process is ready, and by what. A process of a kind tries in small what its work needs,
 * with the write that belongs to it: a new place has to do so too, and then stands here.
 */
const DECIDE: Readonly<Record<string, string>> = {
  'src/compose/retry-start-up.ts': 'process: it has started, and is not stopping',
  'src/api/readiness.ts':
    'documents: complete builds, a document read, a request counted (not ready); search: a query (degraded)',
  'src/compose/accounts-server.ts': 'documents of the account pages: a session opened and ended',
  'src/projecting/health/judge-lanes.ts': 'projector: each lane is claimed, and moves or has nothing to read',
  'src/projecting/health/watch-health.ts':
    'projector: progress can be read, and the word of the worker be written',
  'src/projecting/search/feed.ts': 'projector: a fault of the feed; an engine that is down is told alone',
};

/** They hand on what others have decided. */
const CARRY = [
  'src/admin/probes-and-metrics.ts',
  'src/compose/projector.ts',
  'src/findings/findings-to-readiness.ts',
  'src/operations/status.ts',
];

/** Who makes, or takes apart, what `/readyz` says: of findings, or an object with `ok` and, in any order, `detail`. */
const SAYS = /\bhealthOf\(|\bok\b[^;{}]{0,200}\bdetail\b|\bdetail\b[^;{}]{0,200}\bok\b/;

test('what decides readiness is listed, and nothing else does', () => {
  expect(sourcesWhere((text) => SAYS.test(text))).toEqual([...Object.keys(DECIDE), ...CARRY].toSorted());
});
