import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { runApi, type RunOptions } from '../../support/api.ts';
import { HAS_CACHES } from '../../support/caches.ts';
import { published } from '../../support/events.ts';
import { holdQuotaWrites } from '../../support/hold-quota-writes.ts';
import { leftOf, linesWith, statusesOf } from '../../support/http-answers.ts';
import { countingReads, Line, steady, turns } from '../../support/line.ts';

/**
 * Requests for which all is there but their quota: they wait at the socket. Where a day has no more than this, nothing of it
 * is ever held, and each request waits.
 */
const FEW = 45;

const bytesOf = (key: string, slug = 'ai-news'): string =>
  `GET /api/v1/listings/${slug} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`;
async function runWarm(line: (port: number) => Line, options: RunOptions = {}) {
  const api = await runApi({ dailyLimit: FEW, ...options });
  await api.project(published(), published({ subject: 'short', username: 'short_one' }));
  const opened = line(api.port);
  const bytes = bytesOf(api.key);
  await opened.ask(bytesOf(api.key, 'short'));
  for (let time = 0; time < 2; time += 1) await opened.ask(bytes);
  return { api, line: opened, bytes };
}

const opened = (port: number): Line => new Line(port);

describe.runIf(HAS_CACHES)('a repeated request of whose day nothing is held', () => {
  test('waits at the socket, and is answered there as by the usual way', async () => {
    const { api, line, bytes } = await runWarm(opened);
    await using _ = api;
    using usualLine = new Line(api.port);
    const usual = await usualLine.ask(bytes.slice(0, 5), bytes.slice(5));
    await line.ask(bytes);
    const { made, byNode } = await countingReads(async () => {
      const answers: string[] = [];
      for (let time = 0; time < 10; time += 1) answers.push(await line.ask(bytes));
      return answers;
    });
    // Where a moment is so long that an answer must be made again, it goes the other way.
    expect(byNode).toBeLessThan(10);
    expect(made.map(leftOf)).toEqual(made.map((_answer, index) => leftOf(usual) - 2 - index));
    const alike = (answer: string) => steady(answer).replace(/Remaining: \d+|r=\d+/g, '(left)');
    expect(new Set([...made, usual].map(alike)).size).toBe(1);
    expect(linesWith(api.log, '"status":200,"cost":1')).toHaveLength(3 + 12);
  });

  test('of what nobody asked a moment ago has its answer made while it is counted', async () => {
    const { api, line } = await runWarm(opened);
    await using _ = api;
    await api.project(published({ subject: 'third', username: 'third_one' }));
    const letGo = holdQuotaWrites(api);
    const reads = (): number => api.documents.calls.filter((call) => call.includes('"third"')).length;
    const { made, byNode } = await countingReads(async () => {
      line.send(bytesOf(api.key, 'third'));
      // A poll would look again after longer than a request waits at the socket.
      while (reads() === 0) await turns();
      letGo();
      // Behind the last one that was asked for before.
      return await line.answers(2);
    });
    expect([statusesOf(made), reads(), byNode]).toEqual([[200, 200], 1, 0]);
  });

  test('is refused with 429 as by the usual way, and only when the day is used up', async () => {
    const { api, line, bytes } = await runWarm(opened, { dailyLimit: 8 });
    await using _ = api;
    const statuses: number[] = [];
    let last = '';
    for (let time = 0; time < 7; time += 1) {
      last = await line.ask(bytes);
      statuses.push(...statusesOf(last));
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    using usualLine = new Line(api.port);
    expect(steady(last)).toBe(steady(await usualLine.ask(bytes.slice(0, 5), bytes.slice(5))));
  });

  test('is told 503 where the store is down, as by the usual way, and nothing is lost', async () => {
    const { api, line, bytes } = await runWarm(opened);
    await using _ = api;
    const before = leftOf(await line.ask(bytes));
    api.documents.failCollections = ['quota'];
    const failed = await line.ask(bytes);
    using usualLine = new Line(api.port);
    const usual = await usualLine.ask(bytes.slice(0, 5), bytes.slice(5));
    expect(statusesOf(failed)).toEqual([503]);
    expect(steady(failed)).toBe(steady(usual));
    expect(linesWith(api.log, '"status":503').map((told) => told.includes('quota is down'))).toEqual([
      true,
      true,
    ]);
    api.documents.failCollections = [];
    await line.ask(bytes);
    expect(leftOf(await line.ask(bytes))).toBe(before - 2);
  });

  test('is told 503 where the store is too slow; what is counted after that is given back', async () => {
    const { api, line, bytes } = await runWarm(opened, { storeLimitMs: 300 });
    await using _ = api;
    const before = leftOf(await line.ask(bytes));
    const letGo = holdQuotaWrites(api);
    const { made: failed, byNode } = await countingReads(async () => await line.ask(bytes));
    expect([statusesOf(failed), byNode]).toEqual([[503], 1]);
    const [told = ''] = linesWith(api.log, '"status":503');
    // With the time at the socket, of which there is one limit in all.
    expect(Number(/"durationMs":([\d.]+)/.exec(told)?.[1])).toBeGreaterThan(298);
    letGo();
    await expect.poll(async () => leftOf(await line.ask(bytes)) - before).toBeGreaterThan(-FEW);
    const spent = linesWith(api.log, '"status":200,"cost":1').length;
    await expect
      .poll(async () => leftOf(await line.ask(bytes)) + linesWith(api.log, '"status":200,"cost":1').length)
      .toBe(FEW);
    expect(spent).toBeGreaterThan(0);
  });

  test('is counted once where its answer is no longer fresh when it is granted', async () => {
    const { api, line, bytes } = await runWarm(opened, { confirmMs: 5000 });
    await using _ = api;
    const before = leftOf(await line.ask(bytes));
    const letGo = holdQuotaWrites(api);
    const { made, byNode } = await countingReads(async () => {
      line.send(bytes);
      await turns();
      api.clock.movedMs += 1001;
      letGo();
      return await line.answers(2);
    });
    expect(byNode).toBe(1);
    expect(statusesOf(made)).toEqual([200, 200]);
    expect(leftOf(await line.ask(bytes))).toBe(before - 2);
  });

  test('costs nothing where its key was revoked meanwhile', async () => {
    const { api, line } = await runWarm(opened);
    await using _ = api;
    const created = await api.keys.create('others');
    if (created.outcome !== 'created') throw new Error('no key was made');
    const mine = bytesOf(created.key);
    for (let time = 0; time < 4; time += 1) await line.ask(mine);
    await api.keys.revoke('others', created.id);
    const letGo = holdQuotaWrites(api);
    line.send(mine);
    await turns();
    api.clock.movedMs += 1001;
    letGo();
    const [, status] = statusesOf(await line.answers(2));
    // Where this thread stood still so long that it was handed over before, the key was still good.
    expect([200, 401]).toContain(status);
    const counted = status === 200 ? 5 : 4;
    const [place = ''] = api.documents.calls.flatMap(
      (call) => /"[\d-]+\/(others\/\d+)"/.exec(call)?.[1] ?? [],
    );
    expect(place).not.toBe('');
    const id = `${new Date(api.clock.now()).toISOString().slice(0, 10)}/${place}`;
    await expect
      .poll(async () => (await api.documents.get<{ shares: object }>('quota', [id])).get(id)?.body.shares)
      .toSatisfy(
        (shares: Record<string, number>) =>
          Object.values(shares).reduce((sum, one) => sum + one, 0) === counted,
      );
  });

  test('holds back what follows it on its connection, and nothing on another one', async () => {
    const { api, line, bytes } = await runWarm(opened);
    await using _ = api;
    using other = new Line(api.port);
    await line.ask(bytes);
    const letGo = holdQuotaWrites(api);
    line.send(bytes);
    await turns();
    // Needs no store, so that nothing but its turn keeps it back.
    line.send(`GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n`);
    line.send(bytesOf(api.key, 'short'));
    await turns();
    expect(statusesOf(line.received)).toEqual([200]);
    expect(statusesOf(await other.ask('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n'))).toEqual([404]);
    letGo();
    expect(statusesOf(await line.answers(4))).toEqual([200, 200, 404, 200]);
  });

  test('is counted and told where its caller is gone before it is granted', async () => {
    const { api, line, bytes } = await runWarm(opened);
    await using _ = api;
    using other = new Line(api.port);
    await other.ask(bytes);
    const before = leftOf(await other.ask(bytes));
    const letGo = holdQuotaWrites(api);
    line.send(bytes);
    await turns();
    line.reset();
    await turns();
    letGo();
    await expect.poll(() => linesWith(api.log, '"aborted":true')).toHaveLength(1);
    expect(linesWith(api.log, '"aborted":true')[0]).toMatch(/"status":200,"cost":1/);
    expect(leftOf(await other.ask(bytes))).toBe(before - 2);
  });

  test('is answered where the server stops meanwhile', async () => {
    const { api, line, bytes } = await runWarm(opened);
    await line.ask(bytes);
    const letGo = holdQuotaWrites(api);
    line.send(bytes);
    await turns();
    const stopped = api[Symbol.asyncDispose]();
    await turns();
    letGo();
    expect(statusesOf(await line.answers(2))).toEqual([200, 200]);
    await stopped;
  });

  test('is answered where its caller has ended its own side', async () => {
    const { api, line, bytes } = await runWarm(opened);
    await using _ = api;
    await line.ask(bytes);
    const letGo = holdQuotaWrites(api);
    line.send(bytes);
    line.end();
    await turns();
    letGo();
    expect(statusesOf(await line.answers(2))).toEqual([200, 200]);
  });

  const step = fc.constantFrom('ask', 'two at once', 'aged', 'gone', 'down', 'free');

  test('is counted as often as it is told to have cost something, whatever becomes of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
        const { api, line: first, bytes } = await runWarm(opened);
        await using _ = api;
        let line = first;
        const tag = /\r\nETag: ([^\r]+)/.exec(await line.ask(bytes))?.[1] ?? '';
        for (const each of steps) {
          if (each === 'down') api.documents.failCollections = ['quota'];
          if (each === 'aged' || each === 'gone') {
            const letGo = holdQuotaWrites(api);
            line.send(bytes);
            await turns();
            if (each === 'gone') line.reset();
            else api.clock.movedMs += 150;
            await turns();
            letGo();
            line = new Line(api.port);
          } else if (each === 'two at once') {
            using other = new Line(api.port);
            await other.ask(bytes);
            await Promise.all([line.ask(bytes), other.ask(bytes)]);
          } else if (each === 'free') await line.ask(bytes.replace(/\r\n$/, `If-None-Match: ${tag}\r\n\r\n`));
          else await line.ask(bytes);
          api.documents.failCollections = [];
        }
        // What had failed while it was written is seen to by the next one.
        await line.ask(bytes);
        const id = `${new Date(api.clock.now()).toISOString().slice(0, 10)}/tests/1`;
        const counted = async (): Promise<number> => {
          const found = await api.documents.get<{ shares: Record<string, number> }>('quota', [id]);
          return Object.values(found.get(id)?.body.shares ?? {}).reduce((sum, one) => sum + one, 0);
        };
        await expect
          .poll(async () => (await counted()) - linesWith(api.log, '"cost":1').length, { timeout: 5000 })
          .toBe(0);
        expect(await counted()).toBeLessThanOrEqual(FEW);
      }),
      { numRuns: 6 },
    );
  });
});
