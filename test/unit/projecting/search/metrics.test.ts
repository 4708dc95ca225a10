import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { Registry } from '../../../../src/platform/metrics.ts';
import { createSearchFeedMetrics } from '../../../../src/projecting/search/feeding.ts';

test('docs/reference/search.md lists every metric of the feed, and nothing else', () => {
  const page = readFileSync(new URL('../../../../docs/reference/search.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `(catalog_\w+)`/gm)].map(([, name]) => name);
  const registry = new Registry();
  createSearchFeedMetrics(registry);
  expect(listed).toEqual(registry.getMetricsAsArray().map(({ name }) => name));
});
