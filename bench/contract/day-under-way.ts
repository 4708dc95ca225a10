import { setTimeout as sleep } from 'node:timers/promises';

import { CHANGING_MS } from '../../src/access/keys/check-key.ts';
import type { Measured } from '../http/measured.ts';

/** A service that has just started trusts no look at notices for a minute, and reads the keys that it knows again. */
export async function firstMinute(): Promise<void> {
  await sleep(CHANGING_MS + 1000);
}

/**
 * Of the keys that are drawn by Zipf's law those that ask at least once an hour, at a thousand requests a second of a million keys:
 * the ones that ask most, and nine tenths of all requests are theirs.
 */
const HOURLY = 0.4;

/** What is measured then is a day under way: each key has asked before, and those that ask every hour twice in this one. */
export async function askBefore(server: Measured, keys: readonly string[]): Promise<void> {
  await askOnce(server, keys);
  await askOnce(server, keys.slice(0, HOURLY * keys.length));
}

export async function askOnce(server: Measured, keys: readonly string[]): Promise<void> {
  const requests = keys.map((key) => ({ path: '/api/v1/categories', headers: { 'x-api-key': key } }));
  await using load = await server.load(requests);
  for (let asked = 0; asked < keys.length;) asked += (await load.slice(1000)).requests;
}
