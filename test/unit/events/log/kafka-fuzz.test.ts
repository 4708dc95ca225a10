import { expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import { makeBatchWorld, type BatchWorld } from '../../../support/batch-world.ts';
import { openScriptedLog, scriptedClient, TOPIC } from '../../../support/scripted-kafka.ts';
import { sizeOf } from '../../../support/sizes.ts';

/**
 * Record batches as nobody should write them, against the reader: whatever stands in a partition ends as records, as
 * ranges that cannot be read, or as an error that says to try again; never as a halt, a hang, or a value that nobody has
 * put in. Each input follows from its seed. `FUZZ_SEED=N` starts there, and with FUZZ_BATCHES=1 repeats one input.
 */
const FIRST = Number(process.env['FUZZ_SEED'] ?? firstOfRun());
const COUNT = sizeOf('FUZZ_BATCHES');
/** More than any input needs. */
const FETCHES = 500;
/** How often a `RetryableError` may come in a row. */
const RETRIES = 4;

test(
  'whatever stands in a partition is read, left out as a range, or tried again',
  { timeout: 60_000 + COUNT * 60 },
  async () => {
    const wrong: string[] = [];
    for (let seed = FIRST; seed < FIRST + COUNT && wrong.length < 10; seed += 1) {
      const world = makeBatchWorld(seed);
      try {
        wrong.push(
          ...(await problemsOf(world)).map((problem) => `seed ${seed} (${world.damage}): ${problem}`),
        );
      } catch (thrown) {
        wrong.push(`seed ${seed} (${world.damage}): ${String(thrown)}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);

/** Far from that of the days before and after, and below 2^31. */
function firstOfRun(): number {
  return 1 + (Number(process.env['TEST_SEED'] ?? 0) % 1000) * 1_000_000;
}

async function problemsOf(world: BatchWorld): Promise<readonly string[]> {
  const { from, to, expected, isOld, mayBeLeftOut, isMoved, isForged } = world;
  const problems: string[] = [];
  const moved = new Set([...expected].flatMap(([position, value]) => (isMoved(position) ? [value] : [])));
  const delivered = new Set<number>();
  const isLeftOut = (position: number): boolean =>
    ranges.some((range) => range.from <= position && position < range.to);
  const ranges: { readonly from: number; readonly to: number }[] = [];
  let last = -1;
  for await (const batch of readOn(world)) {
    for (const { position, value } of batch.records) {
      if (position <= last || position < batch.from || position >= batch.next)
        problems.push(`${position} comes after ${last}, in ${batch.from} to ${batch.next}`);
      last = position;
      delivered.add(position);
      const text = Buffer.from(value ?? []).toString();
      const isFree = isMoved(position) || !expected.has(position);
      const isRight = expected.get(position) === text || isForged(position) || (isFree && moved.has(text));
      if (!isRight) problems.push(`${position} has the wrong value ${text.slice(0, 40)}`);
    }
    for (const range of batch.unreadable ?? []) {
      if (range.from < batch.from || range.to > batch.next || range.from >= range.to)
        problems.push(`the range ${range.from} to ${range.to} is not in ${batch.from} to ${batch.next}`);
      ranges.push(range);
    }
  }
  for (let position = from; position < to; position += 1) {
    if (isLeftOut(position)) {
      if (delivered.has(position)) problems.push(`${position} is delivered and left out`);
      if (expected.has(position) && !mayBeLeftOut(position))
        problems.push(`${position} is sound and left out`);
    } else if (isOld(position)) {
      problems.push(`${position} cannot be read, and nobody is told`);
    } else if (
      expected.has(position) &&
      !delivered.has(position) &&
      !isForged(position) &&
      !isMoved(position)
    ) {
      problems.push(`${position} is lost`);
    }
  }
  return problems;
}

/** Reads as a lane does: what fails and may be tried again is, from where it was. */
async function* readOn({ kafka, from, to }: BatchWorld) {
  const client = scriptedClient(kafka);
  let fetches = 0;
  const counted: typeof client = {
    ...client,
    fetch: (...request) => {
      fetches += 1;
      if (fetches > FETCHES) throw new Error(`no end after ${FETCHES} fetches`);
      return client.fetch(...request);
    },
    [Symbol.dispose]: () => undefined,
  };
  await using log = openScriptedLog(kafka, counted);
  let next = from;
  for (let retries = 0; next < to;) {
    try {
      for await (const batch of log.read({ topic: TOPIC, partition: 0, from: next, to })) {
        if (batch.from !== next || batch.next <= next)
          throw new Error(`${batch.from} to ${batch.next} after ${next}`);
        yield batch;
        next = batch.next;
        retries = 0;
      }
    } catch (thrown) {
      retries += 1;
      if (!(thrown instanceof RetryableError) || retries > RETRIES || fetches > FETCHES) throw thrown;
    }
  }
}
