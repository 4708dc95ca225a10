import type { Parts } from '../../src/compose/parts.ts';
import { collectionOf, type Projection } from '../../src/projecting/engine/projection.ts';
import { createSearchFeed } from '../../src/projecting/search/feed.ts';
import { countMarks } from '../../src/stores/outbox.ts';
import { untilDone } from '../until-done.ts';

/** Tells the index of every document that was built. */
export async function feedAll(
  { documents, search, clock, logger }: Parts,
  projection: Projection,
): Promise<{ readonly entries: number; readonly tookMs: number; readonly cpuMs: number }> {
  const waiting = async (): Promise<number> => (await countMarks(documents, collectionOf(projection))).put;
  const entries = await waiting();
  const [began, cpuBefore] = [clock.monotonic(), process.cpuUsage()];
  await using feed = createSearchFeed({ documents, search, projection, clock, logger });
  feed.start();
  // By what the feed says: counting marks in the store again and again is work for the store that is measured.
  await untilDone({ left: async () => feed.latest().counts?.waiting ?? entries, everyMs: 50 });
  const left = await waiting();
  if (left > 0) throw new Error(`${left} documents still wait for the index`);
  const { user, system } = process.cpuUsage(cpuBefore);
  return { entries, tookMs: clock.monotonic() - began, cpuMs: (user + system) / 1000 };
}
