import { expect, test } from 'vitest';

import { ENTRIES } from '../../../../src/events/entry-events.ts';
import {
  countParked,
  everyParked,
  parkedAt,
  parkedEvents,
} from '../../../../src/projecting/engine/parked-queries.ts';
import { PARKED, type ParkedEvent } from '../../../../src/projecting/engine/parking.ts';
import { discard } from '../../../../src/projecting/engine/redrive.ts';
import { traceSubject } from '../../../../src/projecting/inspect/trace.ts';
import { openAnalysed } from '../../../support/analysts.ts';
import { openEngine } from '../../../support/engine.ts';
import { published } from '../../../support/events.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { NOTES, noteEvent } from '../../../support/fake-projection.ts';
import { putDocument } from '../../../support/documents.ts';

const engine = forEachTest(() => openEngine(2));

async function trace(subject: string, limit = 100) {
  const { signal } = new AbortController();
  return await traceSubject(subject, { ...engine.parts, signal, limit });
}

async function outcomes(subject: string): Promise<readonly string[]> {
  return (await trace(subject)).events.map(({ outcome }) => outcome);
}

test('an event is waiting, then in force until a higher revision takes its place, whatever their order', async () => {
  await engine.publish(['a', 2, 'second'], ['a', 1, 'first'], ['b', 1, 'another']);
  expect(await outcomes('a')).toEqual(['waiting', 'waiting']);
  await engine.start();
  await engine.settled();
  expect(await outcomes('a')).toEqual(['in_force', 'superseded']);
  await engine.publish(['a', 3, 'third']);
  await engine.settled();
  expect(await outcomes('a')).toEqual(['superseded', 'superseded', 'in_force']);
  expect(await outcomes('b')).toEqual(['in_force']);
});

test('an event is superseded by what stands in its place; without that it is missing, whatever the checkpoint says', async () => {
  const ofC = [
    ['c', 1, 'old'],
    ['c', 2, 'lost'],
  ] as const;
  await engine.consume(['a', 1, 'first'], ['a', 2, 'second'], ['b', 1, 'lost'], ...ofC);
  expect((await trace('a')).events[0]).toMatchObject({ outcome: 'superseded', superseded_by: 2 });
  const { documents } = engine;
  const stored = await documents.get<object>('notes@1', ['b', 'c']);
  // As a backup has them whose checkpoints were copied after its documents.
  await documents.remove('notes@1', [{ id: 'b', read: stored.get('b')?.version ?? '' }]);
  const registers = { note: { at: 1, digest: noteEvent('c', 1, 'old').digest.slice(0, 32), value: 'old' } };
  await putDocument(documents, 'notes@1', 'c', { ...stored.get('c')?.body, registers });
  expect((await trace('b')).events).toMatchObject([
    { outcome: 'missing', reason: expect.stringContaining('run "') as string },
  ]);
  expect(await outcomes('c')).toEqual([expect.any(String), 'missing']);
});

test('a parked event is named with its reason and its id, until it is discarded', async () => {
  await engine.consume(['a', 1, 'boom']);
  const [traced] = (await trace('a')).events;
  expect(traced).toMatchObject({ outcome: 'parked', reason: expect.stringMatching(/./) as string });
  const id = traced?.parked_id ?? '';
  const stored = (await engine.documents.get<ParkedEvent>(PARKED.name, [id])).get(id);
  if (!stored) throw new Error(`${id} is not parked`);
  await discard(engine.documents, stored);
  expect(await outcomes('a')).toEqual(['discarded']);
});

test('the newest events are told, and older ones counted', async () => {
  await engine.consume(['a', 1, 'one'], ['a', 2, 'two'], ['a', 3, 'three']);
  const { events, older } = await trace('a', 2);
  expect(events.map(({ outcome }) => outcome)).toEqual(['superseded', 'in_force']);
  expect(older).toBe(1);
});

test('a record is about the subject in its headers, however their names are written', async () => {
  await using analysed = await openAnalysed();
  const { data, ...attributes } = published({ subject: 'in-capitals' });
  const named = Object.entries(attributes).map(([name, value]) => [`CE_${name.toUpperCase()}`, value]);
  const value = Buffer.from(JSON.stringify(data));
  const headers = Object.fromEntries(named) as Record<string, string>;
  await analysed.parts.log.append([{ topic: ENTRIES, key: 'other', value, headers }]);
  const { signal } = new AbortController();
  expect((await traceSubject('in-capitals', { ...analysed.parts, signal, limit: 9 })).events).toHaveLength(1);
});

test('a record of which nothing can be read counts once, however many read models are made of its topic', async () => {
  await engine.log.append([{ topic: 'notes', key: null, value: Buffer.from('no note'), headers: {} }]);
  expect((await trace('a')).unreadable).toBe(1);
  const projections = [NOTES, { ...NOTES, name: 'others' }];
  const { signal } = new AbortController();
  expect(await traceSubject('a', { ...engine.parts, projections, signal, limit: 1 })).toMatchObject({
    unreadable: 1,
  });
});

test('parked events are found among those at given places, selected, and counted by their reason', async () => {
  const places = await engine.consume(['a', 1, 'boom'], ['b', 1, 'fine'], { raw: 'nothing' });
  const runOf = (index: number) => {
    const place = places[index];
    if (!place) throw new Error('it was not appended');
    const { topic, partition, position } = place;
    return { topic, partition, from: position, to: position + 1 };
  };
  expect(await parkedAt(engine.documents, [runOf(1)])).toEqual([]);
  const [found] = await parkedAt(engine.documents, [runOf(0), runOf(1)]);
  expect(found?.body.key).toBe('a');
  const groups = await countParked(engine.documents);
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  const code = found?.body.rejection.code;
  const selected = (await Array.fromAsync(parkedEvents(engine.documents, { code, topic: 'notes' }))).flat();
  expect(selected.map(({ body }) => body.key)).toEqual(['a']);
  expect((await Array.fromAsync(parkedEvents(engine.documents, { topic: 'other' }))).flat()).toEqual([]);
  const later = Date.now() + 60_000;
  expect((await Array.fromAsync(parkedEvents(engine.documents, { since: later }))).flat()).toEqual([]);
});

test('however much is parked, few bodies are read at a time', async () => {
  await engine.consume(...Array.from({ length: 60 }, () => ({ raw: 'nothing' })));
  for (const pages of [everyParked(engine.documents, 'notes@1'), parkedEvents(engine.documents, {})]) {
    const sizes = (await Array.fromAsync(pages)).map((page) => page.length);
    expect(sizes).toEqual([25, 25, 10]);
  }
});
