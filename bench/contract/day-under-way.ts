import { setTimeout as sleep } from 'node:timers/promises';

import { CHANGING_MS } from '../../src/access/keys/check-key.ts';
import type { Measured } from '../http/measured.ts';

/** A service that has just started trusts no look at notices for a minute, and reads the keys that it knows again. */
export async function firstMinute(): Promise<void> {
  await sleep(CHANGING_MS + 1000);
}

/** At least one request of each key: what is measured then is a day under way. */
export async function askOnce(server: Measured, keys: readonly string[]): Promise<void> {
  const requests = keys.map((key) => ({ path: '/api/v1/categories', headers: { 'x-api-key': key } }));
  await using load = await server.load(requests);
  for (let asked = 0; asked < keys.length;) asked += (await load.slice(1000)).requests;
}
