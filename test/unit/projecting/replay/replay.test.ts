import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { ListingRegisters } from '../../../../projections/listings/document.ts';
import { listings } from '../../../../projections/listings/index.ts';
import { hourId } from '../../../../projections/monitor/hours.ts';
import { monitor } from '../../../../projections/monitor/index.ts';
import { structuredRecord } from '../../../../src/events/event-types.ts';
import type { Projection } from '../../../../src/projecting/engine/projection.ts';
import { StoppedError } from '../../../../src/projecting/engine/retry.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { readShadow, readShadows, SHADOWS } from '../../../../src/stores/shadows.ts';
import { LISTINGS, MONITOR } from '../../../support/collections.ts';
import { measured, probed } from '../../../support/events.ts';
import { overriding } from '../../../support/overriding.ts';
import { openReplayStage } from '../../../support/replay-stage.ts';
import { bodiesOf, replayed } from '../../../support/replayed.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const stage = forEachTest(() => openReplayStage(400));

async function textOf(name: string, readModel = LISTINGS): Promise<string> {
  return JSON.stringify([...(await bodiesOf(stage.documents, `${readModel}-${name}`))]);
}

test('two replays of the same have the same bytes and the same digest', async () => {
  const until = stage.now - 20 * 60_000;
  const [one, two] = [
    await replayed(stage, { name: 'one', until }),
    await replayed(stage, { name: 'two', until }),
  ];
  expect(two.made?.digest).toBe(one.made?.digest);
  expect(await textOf('two')).toBe(await textOf('one'));
  const whole = await replayed(stage, { name: 'whole' });
  expect(whole.made?.digest).not.toBe(one.made?.digest);
});

describe('a shadow', () => {
  test('holds nothing that lies outside the windows, whether a sweep has come or not', async () => {
    const told = [
      measured({ subject: 'old', measured_at: '2025-01-01T00:00:00Z' }),
      measured({ subject: 'old', measured_at: '2025-12-01T00:00:00Z' }),
      probed({ round: Date.UTC(2025, 0, 1) / 60_000 }),
    ];
    await stage.log.append(told.map(structuredRecord));
    await replayed(stage, { name: 'one' });
    await replayed(stage, { name: 'one', projection: monitor });
    const old = (await bodiesOf(stage.documents, `${LISTINGS}-one`)).get('old') as {
      readonly registers: ListingRegisters;
    };
    expect(Object.keys(old.registers.audience['channel'] ?? {})).toEqual(['2025-12-01']);
    const hours = [...(await bodiesOf(stage.documents, `${MONITOR}-one`)).keys()];
    expect(hours.length).toBeGreaterThan(0);
    expect(hours).not.toContain(hourId('bot_api', Date.UTC(2025, 0, 1) / 3_600_000));
  });

  test('leaves everything else in the log and in the documents as it was', async () => {
    await stage.documents.declare({ name: 'other', indexes: [] });
    await stage.documents.write('other', [{ id: 'x', read: null, version: 'v', body: {} }]);
    const before = await stage.log.ends('catalog.entries');
    await replayed(stage, { name: 'one' });
    expect(await stage.log.ends('catalog.entries')).toEqual(before);
    expect(await stage.documents.collections()).toEqual([`${LISTINGS}-one`, 'other', 'shadows']);
    expect((await stage.documents.get('other', ['x'])).get('x')?.version).toBe('v');
  });

  test('that is finished is refused, and stays', async () => {
    await replayed(stage, { name: 'one' });
    const before = await textOf('one');
    await expect(replayed(stage, { name: 'one' })).rejects.toThrow(
      `There is a shadow ${LISTINGS}-one already: drop it first, or take another name.`,
    );
    expect(await textOf('one')).toBe(before);
  });
});

test('a replay that was killed among its writes has left an unfinished shadow, which the next one replaces', async () => {
  const { log, documents } = stage.paths;
  const script = join(import.meta.dirname, 'killed-replay.ts');
  const child = spawn(process.execPath, [script, log, documents, 'one', String(stage.now)], {
    stdio: 'inherit',
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  expect((await readShadow(stage.documents, `${LISTINGS}-one`))?.made).toBe(null);
  // What it has written is not to be taken for what is asked for now.
  const until = stage.now - 22 * 60_000;
  const written = (await bodiesOf(stage.documents, `${LISTINGS}-one`)).size;
  const again = await replayed(stage, { name: 'one', until });
  const undisturbed = await replayed(stage, { name: 'two', until });
  expect(again.made).toEqual({ ...undisturbed.made, at: again.made?.at });
  expect(written).toBeGreaterThan(again.made?.documents ?? 0);
});

describe('where a replay fails, nothing of it stays', () => {
  const view: Projection['view'] = (id, registers) => {
    if (id > 'm') throw new Error('the view threw');
    return listings.view(id, registers as never);
  };
  const throwing = { ...(listings as Projection), view };

  async function nothing(): Promise<void> {
    expect(await stage.documents.collections()).toEqual(['shadows']);
    expect(await readShadows(stage.documents)).toEqual([]);
  }

  test('by a view that cannot be computed: it names the document', async () => {
    await expect(replayed(stage, { name: 'one', projection: throwing })).rejects.toThrow(
      /^The view of [m-z]\S+ cannot be computed: the view threw\.$/,
    );
    await nothing();
  });

  test('by there being nothing to write', async () => {
    const projection = { ...listings, documentId: () => null };
    await expect(replayed(stage, { name: 'one', projection })).rejects.toThrow(
      'No event in this part of history makes a document: there is nothing to write.',
    );
    await nothing();
  });

  test('by a person who ends it', async () => {
    await expect(replayed(stage, { name: 'one', signal: AbortSignal.abort() })).rejects.toThrow(StoppedError);
    await nothing();
  });

  test('by a store that takes no more', async () => {
    const full = failing((collection) => collection !== SHADOWS.name);
    await expect(replayed(stage, { name: 'one', documents: full })).rejects.toThrow('no room');
    await nothing();
  });

  test('but where the store does not let go of it, which is said', async () => {
    const broken = overriding(
      failing((collection) => collection !== SHADOWS.name),
      { remove: () => Promise.reject(new Error('read-only')) },
    );
    await expect(replayed(stage, { name: 'one', documents: broken })).rejects.toThrow(
      `no room; nor could ${LISTINGS}-one be taken away (read-only): drop it.`,
    );
    expect((await readShadow(stage.documents, `${LISTINGS}-one`))?.made).toBe(null);
  });

  function failing(isFull: (collection: string) => boolean): Documents {
    return overriding(stage.documents, {
      write: (collection, writes) =>
        isFull(collection) ? Promise.reject(new Error('no room')) : stage.documents.write(collection, writes),
    });
  }
});

test('of two replays into one name, the later one makes the shadow, and the other takes nothing away from it', async () => {
  let hasBegun = false;
  const slow = overriding(stage.documents, {
    write: async (collection, writes) => {
      if (collection !== SHADOWS.name && !hasBegun) {
        hasBegun = true;
        await replayed(stage, { name: 'one' });
      }
      return await stage.documents.write(collection, writes);
    },
  });
  const until = stage.now - 22 * 60_000;
  await expect(replayed(stage, { name: 'one', documents: slow, until })).rejects.toThrow(
    `Another command has begun, or dropped, ${LISTINGS}-one meanwhile.`,
  );
  const made = (await readShadow(stage.documents, `${LISTINGS}-one`))?.made;
  expect(made?.digest).toBe((await replayed(stage, { name: 'two' })).made?.digest);
  expect(await textOf('one')).toBe(await textOf('two'));
});
