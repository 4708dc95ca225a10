import { vi } from 'vitest';

import type { CloudEvent } from '../../src/events/envelope.ts';
import { readEntries } from '../../src/sample/catalog.ts';
import { targetDefined } from '../../src/sample/event-builders.ts';
import { historyProbes, sampleEvents } from '../../src/sample/sample.ts';
import { ROUNDS_A_DAY, TARGETS } from '../../src/sample/targets.ts';
import type { RunningApi, RunOptions } from '../support/api.ts';
import { published } from '../support/events.ts';
import { runPages } from '../support/pages.ts';
import { sayServed } from '../support/sample-served.ts';
import newcomer from './newcomer.json' with { type: 'json' };

/** The shipped catalog with its metrics, and 84 days of a monitor that was away for two, all at one moment for ever. */

export const MOMENT = Date.parse('2026-11-20T10:00:00Z');
const MINUTE = 60_000;
const PIECE = 40_000;
/** Days before the moment between which nobody probed. */
const AWAY = { from: 31, to: 29 } as const;
const FIRST_DAY = 84;

export async function runStage(options: RunOptions = {}): Promise<RunningApi> {
  const api = await runPages({ at: MOMENT, ...options });
  await sayServed(api.documents);
  const events = [...catalog(), published({ subject: ENTRIES.new, ...newcomer }), ...monitor()];
  // In pieces: they are passed as arguments.
  for (let start = 0; start < events.length; start += PIECE)
    await api.project(...events.slice(start, start + PIECE));
  standStill(api);
  // The first look at 84 days takes longer than a page may.
  await vi.waitUntil(async () => (await fetch(`${api.url}/en/status`)).ok && !(await isStale(api)), {
    timeout: 60_000,
    interval: 250,
  });
  return api;
}

async function isStale({ url }: RunningApi): Promise<boolean> {
  const { stale } = (await (await fetch(`${url}/api/status`)).json()) as { stale: boolean };
  return stale;
}

/** Sets the time back to the moment, so that nothing gets old while others are looked at. */
export function standStill({ clock }: Pick<RunningApi, 'clock'>): void {
  clock.jumpedMs += MOMENT - clock.now();
}

function catalog(): readonly CloudEvent[] {
  const events: CloudEvent[] = [];
  for (const event of sampleEvents(new Date(MOMENT).toISOString())) {
    if (event.type.startsWith('monitor.')) break;
    events.push(event);
  }
  return events;
}

function monitor(): readonly CloudEvent[] {
  const time = new Date(MOMENT).toISOString();
  const last = MOMENT / MINUTE - 2;
  const day = (before: number) => last - before * ROUNDS_A_DAY;
  return [
    ...TARGETS.map((one) => targetDefined(one, { id: one.id, source: '/monitor', time })),
    ...historyProbes({ first: day(FIRST_DAY), last: day(AWAY.from) }),
    ...historyProbes({ first: day(AWAY.to), last }),
  ];
}

/** Slugs of entries whose pages differ: by kind, and by what is known of them. */
export const ENTRIES = {
  channel: 'a-cup-of-java',
  chat: readEntries().find(({ subtype }) => subtype === 'group')?.slug ?? '',
  bot: readEntries().find(({ kind }) => kind === 'bot')?.slug ?? '',
  miniapp: readEntries().find(({ kind }) => kind === 'miniapp')?.slug ?? '',
  /** Much is told of it, and nothing measured. */
  new: 'city-walks',
} as const;
