import type { Parts } from '../../src/compose/parts.ts';
import { structuredRecord } from '../../src/events/structured-record.ts';
import { published } from '../../test/support/events.ts';
import type { Entry } from '../filling.ts';

/** Above every revision that is simulated. */
const REVISION = 1_000_000;
/** Readers are promised it within a second of its being projected; this machine is busy. */
const SEEN_MS = 60_000;
const LOOK_MS = 250;

function titleOf(round: number): string {
  return `Later, ${round}`;
}

/** Publishes these entries again, each with a title that tells the round. */
export async function publishLater(
  { log, topicName }: Parts,
  entries: readonly Entry[],
  round: number,
): Promise<void> {
  const records = entries.map(({ slug: subject, username }) =>
    structuredRecord(
      published({ subject, username, revision: REVISION + round, title: { en: titleOf(round) } }),
    ),
  );
  await log.append(records.map((record) => ({ ...record, topic: topicName(record.topic) })));
}

/** How many of the entries readers do not see as this round has published them. */
export async function unseen(
  { clock }: Parts,
  { port, key }: { readonly port: number; readonly key: string },
  entries: readonly Entry[],
  round: number,
): Promise<number> {
  const until = clock.monotonic() + SEEN_MS;
  let missing = entries;
  for (;;) {
    const left: Entry[] = [];
    for (const entry of missing) {
      const url = `http://127.0.0.1:${port}/api/v1/listings/${entry.slug}`;
      const response = await fetch(url, { headers: { 'x-api-key': key } });
      const { title } = (await response.json()) as { readonly title?: string };
      if (title !== titleOf(round)) left.push(entry);
    }
    missing = left;
    if (missing.length === 0 || clock.monotonic() > until) return missing.length;
    await clock.sleep(LOOK_MS);
  }
}
