import { expect, test } from 'vitest';

import { listings } from '../../../../projections/listings/index.ts';
import type { Batch, Log } from '../../../../src/events/log/port.ts';
import { StoppedError } from '../../../../src/projecting/engine/retry.ts';
import { openPast } from '../../../../src/projecting/inspect/read-model-events.ts';
import { published } from '../../../support/events.ts';
import { openPastStage, type PastStage } from '../../../support/past-stage.ts';

/** Events as the log holds them, for questions about the past. */

const AT = '2026-01-01T00:00:00Z';
const SUBJECT = new Set(['ai-news']);

type Reading = Pick<Log, 'ends' | 'read'>;

function partsOf({ parts }: PastStage, log: Reading, signal = new AbortController().signal) {
  const { documents, decode, topicName } = parts;
  return { log, documents, decode, topicName, signal };
}

/** As if another producer had put every key one partition further. */
function placedOtherwise(log: Reading): Reading {
  const moved = (partition: number): number => (partition + 5) % 6;
  return {
    ends: async (topic: string) => {
      const ends = await log.ends(topic);
      return ends.map((end) => ({ ...ends[moved(end.partition)], partition: end.partition }) as typeof end);
    },
    read: (range: Parameters<Log['read']>[0]) => log.read({ ...range, partition: moved(range.partition) }),
  };
}

test('events about a subject are found in any partition: producers have rules of their own', async () => {
  await using stage = await openPastStage();
  await stage.append(AT, published());
  const past = await openPast(listings, partsOf(stage, placedOtherwise(stage.log)));
  expect(await Array.fromAsync(past.records(SUBJECT))).toMatchObject([
    { outcome: 'event', event: { subject: 'ai-news' } },
  ]);
});

test('what the log cannot give is told', async () => {
  await using stage = await openPastStage();
  await stage.append(AT, published());
  const range = { from: 7, to: 9, code: 'unreadable', reason: 'damaged', bytes: null, timestamp: 0 } as const;
  const damaged: Reading = {
    ends: (topic: string) => stage.log.ends(topic),
    read: async function* (of: Parameters<Log['read']>[0]): AsyncGenerator<Batch> {
      for await (const batch of stage.log.read(of)) yield { ...batch, unreadable: [{ ...of, ...range }] };
    },
  };
  const past = await openPast(listings, partsOf(stage, damaged));
  await Array.fromAsync(past.records(SUBJECT));
  expect(past.unreadable).toMatchObject([{ topic: 'catalog.entries', from: 7, to: 9 }]);
});

test('a reader that is stopped says so, and never takes a part for the whole', async () => {
  await using stage = await openPastStage();
  await stage.append(AT, published());
  const stopping = new AbortController();
  const past = await openPast(listings, partsOf(stage, stage.log, stopping.signal));
  stopping.abort();
  await expect(Array.fromAsync(past.records(SUBJECT))).rejects.toThrow(StoppedError);
});

test('of some subjects it decodes what is about these alone, where others were named', async () => {
  await using stage = await openPastStage();
  await stage.append(AT, ...['a', 'b', 'c'].map((subject) => published({ subject })));
  const { decode, ...parts } = partsOf(stage, stage.log);
  const seen: string[] = [];
  const watching: typeof decode = (record) => {
    seen.push(String(record.key));
    return decode(record);
  };
  const past = await openPast(listings, { ...parts, decode: watching });
  const found = await Array.fromAsync(past.records(new Set(['a', 'c'])));
  const subjects = found.flatMap((one) => (one.outcome === 'event' ? one.event.subject : []));
  expect(subjects.toSorted()).toEqual(['a', 'c']);
  expect(seen.toSorted()).toEqual(['a', 'c']);
});
