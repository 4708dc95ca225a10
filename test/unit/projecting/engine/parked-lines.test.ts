import { expect, test } from 'vitest';

import { newKey } from '../../../../src/access/keys/key-format.ts';
import { createDecoder } from '../../../../src/events/decode.ts';
import { EVENT_TYPES } from '../../../../src/events/event-types.ts';
import { captureLog } from '../../../support/captured-log.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { published } from '../../../support/events.ts';
import { words } from '../../../support/words.ts';

const engine = forEachTest(() => openEngine(1));
const log = forEachTest(captureLog);

/** The real contract, with everything on the one topic that the engine reads. */
const decode = createDecoder(EVENT_TYPES.map((type) => ({ ...type, topic: 'notes' })));

/** The lines of the parked events, and what they say, once everything is parked. */
async function park(...values: readonly (object | string)[]): Promise<readonly Record<string, unknown>[]> {
  await engine.log.append(
    values.map((value) => ({
      topic: 'notes',
      key: null,
      value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
      headers: {},
    })),
  );
  await engine.start({ decode, logger: log.logger });
  await engine.settled();
  return log.lines
    .filter((line) => line.includes('event parked'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a parked event is said in one line: where it is, who it is, what is wrong, and nothing of its content', async () => {
  const wrong = { ...published({ subject: 'ai-news' }), id: 'e-1' };
  const said = await park({ ...wrong, data: { ...wrong.data, kind: 'robot', title: { en: 'Between us' } } });
  expect(said).toEqual([
    expect.objectContaining({
      level: 'warn',
      parked: 'notes@1/notes/0/0',
      topic: 'notes',
      partition: 0,
      position: 0,
      eventId: 'e-1',
      source: wrong.source,
      type: wrong.type,
      subject: 'ai-news',
      code: 'bad_data',
      reason: expect.stringContaining('data.kind') as string,
    }),
  ]);
  expect(log.lines.join('')).not.toContain('Between us');
});

test('keys in an event that is parked are in no line, whatever field they are in; the parked document keeps them', async () => {
  const keys = Array.from({ length: 200 }, newKey);
  const event = published();
  const fields = words('specversion id source type subject time datacontenttype data more');
  const inData = ['kind', 'subtype', 'username', 'title', 'tags', 'verified', 'flags', 'links', 'category'];
  const nests: readonly ((key: string) => object | string)[] = [
    ...fields.map((name) => (key: string) => ({ ...event, subject: '?', [name]: key })),
    ...inData.map((name) => (key: string) => ({
      ...event,
      data: { ...event.data, revision: 0, [name]: key },
    })),
    ...inData.map((name) => (key: string) => ({
      ...event,
      data: { ...event.data, [name]: [{ [key]: key }] },
    })),
    (key) => `not JSON: ${key}`,
    (key) => ({ [key]: key }),
    (key) => JSON.stringify(key),
  ];
  await park(...keys.map((key, index) => nests[index % nests.length]?.(key) ?? key));
  const parked = await engine.parked();
  expect(parked.length).toBeGreaterThan(150);
  const said = log.lines.join('');
  expect(keys.filter((key) => said.includes(key.slice(9, 25)))).toEqual([]);
  const kept = parked.map(({ body }) => Buffer.from(body.value ?? '', 'base64').toString());
  expect(keys.filter((key) => kept.some((value) => value.includes(key))).length).toBe(parked.length);
});

test('what would break a line or move a cursor stays inert in the fields of a parked event', async () => {
  const hostile = 'a\r\nb\u001b[2J\u009b31m\u0085\u2028\u202e\u0000\ufeff';
  const event = published();
  const said = await park(
    ...['id', 'source', 'type', 'subject', 'time', hostile].map((name) => ({ ...event, [name]: hostile })),
    { ...event, data: { ...event.data, kind: hostile } },
    hostile,
  );
  expect(said.length).toBeGreaterThan(5);
  for (const line of log.lines) expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e\u2066]/u);
});

test('a record that is too large to be kept whole is not redriven as what was kept of it', async () => {
  const [key, large] = ['large', 'x'.repeat(600 * 1024)];
  const value = Buffer.from(JSON.stringify(published({ subject: key })));
  await engine.log.append([{ topic: 'notes', key, value, headers: { large } }]);
  await park({ ...published(), subject: '?' });
  const [parked] = await engine.parked();
  expect(parked?.body).toMatchObject({ rejection: { code: 'too_large' }, value: null });
  expect(await engine.redrive(parked as NonNullable<typeof parked>, { decode })).toMatchObject({
    outcome: 'still_rejected',
    reason: expect.stringContaining('were not kept') as string,
  });
});
