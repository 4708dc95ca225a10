import { ensureTopics } from '../src/compose/projector.ts';
import { compose } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import type { NewRecord } from '../src/events/log/port.ts';
import { structuredRecord } from '../src/events/event-types.ts';
import type { JsonObject } from '../src/platform/json-value.ts';
import { simulatedHistory } from '../src/sample/simulated/history.ts';
import type { Installation } from '../test/support/process.ts';

export interface Entry {
  readonly slug: string;
  readonly username: string;
  readonly titles: readonly string[];
}

interface Filling {
  readonly entries: number;
  readonly events: number;
  /** Whether some of the events are probes of the monitor; they are by default. */
  readonly withProbes?: boolean;
}

/** At most this share of a simulated history are probes. */
const PROBES = 0.36;
/** So many records in one append. */
const BATCH = 2000;
export const HISTORY = { days: 30, seed: 1, endMs: Date.UTC(2026, 0, 1) };

/**
 * Appends a simulated history to the log of an installation; the same one each time. Returns the entries that are published at its
 * end. What is simulated is valid: it is not looked at once more, as `publish` would.
 */
export async function fillLog(
  { env }: Pick<Installation, 'env'>,
  { entries: count, events, withProbes = true }: Filling,
): Promise<readonly Entry[]> {
  await using parts = await compose(readConfig(env), 'bench');
  await parts.identity();
  await ensureTopics(parts);
  const entries = new Map<string, Entry>();
  const batch: NewRecord[] = [];
  const simulated = withProbes ? events : Math.ceil(events / (1 - PROBES));
  let taken = 0;
  for (const event of simulatedHistory({ ...HISTORY, entries: count, events: simulated })) {
    if (taken === events) break;
    if (!withProbes && !event.type.startsWith('catalog.')) continue;
    taken += 1;
    const record = structuredRecord(event);
    batch.push({ ...record, topic: parts.topicName(record.topic) });
    if (batch.length === BATCH) await parts.log.append(batch.splice(0));
    if (event.type === 'catalog.entry.unpublished.v1') entries.delete(event.subject);
    const entry = event.type === 'catalog.entry.published.v1' ? entryOf(event.subject, event.data) : null;
    if (entry) entries.set(event.subject, entry);
  }
  await parts.log.append(batch);
  if (taken < events) throw new Error(`${taken} events were simulated, not ${events}`);
  return [...entries.values()];
}

function entryOf(slug: string, { username, title }: JsonObject): Entry | null {
  if (typeof username !== 'string' || typeof title !== 'object' || title === null) return null;
  return { slug, username, titles: Object.values(title).map(String) };
}
