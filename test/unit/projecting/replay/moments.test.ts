import { expect, test } from 'vitest';

import type { ListingEvent } from '../../../../projections/listings/event-to-registers.ts';
import { listings } from '../../../../projections/listings/index.ts';
import type { LogRecord } from '../../../../src/events/log/port.ts';
import { canonical } from '../../../../src/platform/canonical.ts';
import type { Json } from '../../../../src/platform/json-value.ts';
import { LISTINGS } from '../../../support/collections.ts';
import { seeded } from '../../../support/histories.ts';
import { byDocument, fold } from '../../../support/laws.ts';
import { naiveListing } from '../../../support/naive-listing.ts';
import { openReplayStage } from '../../../support/replay-stage.ts';
import { bodiesOf, decode, replayed } from '../../../support/replayed.ts';

test('a replay of ten random parts of history makes what an independent fold makes of them', async () => {
  const stage = await openReplayStage();
  const random = seeded(42);
  const pick = (): LogRecord => stage.records[Math.floor(random() * stage.records.length)] as LogRecord;
  for (let number = 1; number <= 10; number += 1) {
    // Times between two records as well as at one; every third one has a beginning, too.
    const [from = 0, until = 0] = [pick(), pick()]
      .map(({ timestamp }) => timestamp + (number % 4) * 10_000)
      .toSorted((a, b) => a - b);
    const hasFrom = number % 3 === 0;
    const name = `moment-${number}`;
    await replayed(stage, { name, until, ...(hasFrom && { from }) });
    const within = stage.records.filter(
      ({ timestamp }) => timestamp <= until && (!hasFrom || timestamp >= from),
    );
    const made = await bodiesOf(stage.documents, `${LISTINGS}-${name}`);
    const expected = byDocument(listings, eventsOf(within));
    expect([...made.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
    expect(expected.size).toBeGreaterThan(0);
    for (const [slug, events] of expected) {
      const body = {
        registers: fold(listings, events),
        view: naiveListing(events as readonly ListingEvent[]),
      };
      expect(canonical(made.get(slug) as Json), `${slug} in ${name}`).toBe(canonical(body as Json));
    }
  }
});

function eventsOf(records: readonly LogRecord[]): readonly ListingEvent[] {
  return records.flatMap((record) => {
    const decoded = decode(record);
    return decoded.outcome === 'event' ? [decoded.event as ListingEvent] : [];
  });
}
