import { expect, test } from 'vitest';

import { serveApi } from '../../../src/compose/api.ts';
import type { Overrides } from '../../../src/compose/parts.ts';
import { install } from '../../support/process.ts';
import { openParts } from '../../support/parts.ts';

async function limitWith(overrides: Overrides, env: Readonly<Record<string, string>> = {}): Promise<string> {
  await using installation = await install();
  await using parts = await openParts({ ...installation.env, ...env }, overrides);
  await using api = await serveApi(parts);
  const response = await fetch(`${api.url}/api/status`);
  return String(response.headers.get('x-ratelimit-limit'));
}

test('a key may make 1,000 requests in a day, whatever the environment says', async () => {
  expect(await limitWith({}, { DAILY_LIMIT: '5', CATALOG_DAILY_LIMIT: '5' })).toBe('1000');
});

test('only who composes the service may say otherwise', async () => {
  expect(await limitWith({ dailyLimit: 7 })).toBe('7');
});
