import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { RunOptions } from '../../support/api.ts';
import { HAS_CACHES } from '../../support/caches.ts';
import { LISTINGS } from '../../support/collections.ts';
import { unpublished } from '../../support/events.ts';
import { leftOf, linesWith, statusesOf } from '../../support/http-answers.ts';
import { countingReads, Line, steady, turns } from '../../support/line.ts';
import { bytesOf, holdReads, pathOf, runListings, warmLine } from '../../support/new-listings.ts';

/** Requests for listings that are read while they wait at the socket, whatever becomes of them meanwhile. */

describe.runIf(HAS_CACHES)('a listing that is read while its request waits at the socket', () => {
  async function waiting(options: RunOptions = {}) {
    const api = await runListings(options);
    const line = await warmLine(api);
    // The day's allotment is known from here on.
    const before = leftOf(await line.ask(bytesOf(api.key, pathOf('entry-0'))));
    return { api, line, before, ...holdReads(api) };
  }
  const NEW = pathOf('entry-200');

  test('is answered in its turn, and what follows it on its connection after it', async () => {
    const { api, line, before, letGo, begun } = await waiting();
    await using _ = api;
    using other = new Line(api.port);
    line.send(bytesOf(api.key, NEW));
    await begun;
    // Needs no store, so that nothing but its turn keeps it back.
    line.send('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
    await turns();
    line.send(bytesOf(api.key, pathOf('entry-0')));
    await turns();
    expect(statusesOf(line.received)).toEqual([200]);
    expect(statusesOf(await other.ask('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n'))).toEqual([404]);
    letGo();
    const received = await line.answers(4);
    expect(statusesOf(received)).toEqual([200, 200, 404, 200]);
    expect(received.indexOf('"slug":"entry-200"')).toBeLessThan(received.indexOf('HTTP/1.1 404'));
    expect(leftOf(await line.ask(bytesOf(api.key, NEW)))).toBe(before - 3);
  });

  test('is answered once where half of the next request came meanwhile', async () => {
    const { api, line, letGo, begun } = await waiting();
    await using _ = api;
    const next = bytesOf(api.key, pathOf('entry-201'));
    line.send(bytesOf(api.key, NEW));
    await begun;
    line.send(next.slice(0, 30));
    await turns();
    letGo();
    await line.answers(2);
    line.send(next.slice(30));
    const received = await line.answers(3);
    expect(statusesOf(received)).toEqual([200, 200, 200]);
    expect(received).toMatch(/"slug":"entry-200"[^]*"slug":"entry-201"/);
  });

  test('is told 503 where the store is down, as by the usual way, and costs nothing', async () => {
    const { api, line, before, letGo } = await waiting();
    await using _ = api;
    letGo();
    api.documents.failCollections = [LISTINGS];
    const failed = await line.ask(bytesOf(api.key, NEW));
    using usualLine = new Line(api.port);
    const usual = await usualLine.ask(bytesOf(api.key, NEW).slice(0, 5), bytesOf(api.key, NEW).slice(5));
    expect(statusesOf(failed)).toEqual([503]);
    expect(steady(failed)).toBe(steady(usual));
    api.documents.failCollections = [];
    expect(leftOf(await line.ask(bytesOf(api.key, NEW)))).toBe(before - 1);
  });

  test('is given to the usual way where the store is slow, and told 503 within one limit of time', async () => {
    const { api, line, before, letGo } = await waiting({ storeLimitMs: 400 });
    await using _ = api;
    const { made: failed, byNode } = await countingReads(async () => await line.ask(bytesOf(api.key, NEW)));
    expect([statusesOf(failed), byNode]).toEqual([[503], 1]);
    const [told = ''] = linesWith(api.log, '"status":503');
    expect(Number(/"durationMs":([\d.]+)/.exec(told)?.[1])).toBeGreaterThan(398);
    letGo();
    expect(leftOf(await line.ask(bytesOf(api.key, NEW)))).toBe(before - 1);
  });

  test('is answered once, and counted once, where the store answers after it was given to the usual way', async () => {
    const { api, line, before, letGo, begun } = await waiting();
    await using _ = api;
    const { made, byNode } = await countingReads(async () => {
      line.send(bytesOf(api.key, NEW));
      await begun;
      await new Promise((resolve) => setTimeout(resolve, 250));
      letGo();
      return await line.answers(2);
    });
    expect(byNode).toBe(1);
    expect(statusesOf(made)).toEqual([200, 200]);
    expect(leftOf(await line.ask(bytesOf(api.key, NEW)))).toBe(before - 2);
  });

  test('is counted and told where its caller is gone before it is read', async () => {
    const { api, line, before, letGo, begun } = await waiting();
    await using _ = api;
    line.send(bytesOf(api.key, NEW));
    await begun;
    line.reset();
    await turns();
    letGo();
    await expect.poll(() => linesWith(api.log, '"aborted":true')).toHaveLength(1);
    expect(linesWith(api.log, '"aborted":true')[0]).toMatch(/"status":200,"cost":1/);
    using other = await warmLine(api);
    expect(leftOf(await other.ask(bytesOf(api.key, NEW)))).toBe(before - 6);
  });

  test('and was not found, or could not be, is told so where its caller is gone', async () => {
    const { api, line, letGo, begun } = await waiting();
    await using _ = api;
    line.send(bytesOf(api.key, pathOf('nobody')));
    await begun;
    line.reset();
    await turns();
    letGo();
    await expect.poll(() => linesWith(api.log, '"aborted":true')).toHaveLength(1);
    expect(linesWith(api.log, '"aborted":true')[0]).toMatch(/"status":404,"cost":1/);
    using other = await warmLine(api);
    const before = leftOf(await other.ask(bytesOf(api.key, pathOf('entry-0'))));
    const again = holdReads(api);
    api.documents.failCollections = [LISTINGS];
    other.send(bytesOf(api.key, NEW));
    await again.begun;
    other.reset();
    await turns();
    again.letGo();
    await expect.poll(() => linesWith(api.log, '"aborted":true')).toHaveLength(2);
    expect(linesWith(api.log, '"aborted":true')[1]).toMatch(/"status":503,"cost":0/);
    api.documents.failCollections = [];
    using last = new Line(api.port);
    await expect
      .poll(async () => leftOf(await last.ask(bytesOf(api.key, pathOf('entry-0')))) - before)
      .toBeGreaterThan(-50);
  });

  test('is answered where its key was revoked after it was let in', async () => {
    const { api, letGo, begun } = await waiting();
    await using _ = api;
    const created = await api.keys.create('others');
    if (created.outcome !== 'created') throw new Error('no key was made');
    using mine = new Line(api.port);
    for (let time = 0; time < 4; time += 1) await mine.ask(bytesOf(created.key, pathOf('entry-0')));
    mine.send(bytesOf(created.key, NEW));
    await begun;
    await api.keys.revoke('others', created.id);
    api.clock.movedMs += 1001;
    letGo();
    expect(statusesOf(await mine.answers(2))[1]).toBe(200);
    expect(statusesOf(await mine.ask(bytesOf(created.key, NEW)))).toEqual([401]);
  });

  test('is answered where the server stops meanwhile', async () => {
    const { api, line, letGo, begun } = await waiting();
    line.send(bytesOf(api.key, NEW));
    await begun;
    const stopped = api[Symbol.asyncDispose]();
    await turns();
    letGo();
    expect(statusesOf(await line.answers(2))).toEqual([200, 200]);
    await stopped;
  });

  test('is answered where its caller has ended its own side', async () => {
    const { api, line, letGo, begun } = await waiting();
    await using _ = api;
    line.send(bytesOf(api.key, NEW));
    await begun;
    line.end();
    await turns();
    letGo();
    expect(statusesOf(await line.answers(2))).toEqual([200, 200]);
  });

  test('is shown by no answer of a moment ago once another one has denied it', async () => {
    const { api, line, letGo } = await waiting();
    await using _ = api;
    letGo();
    using other = await warmLine(api);
    const ask = async (by: Line, path: string) => statusesOf(await by.ask(bytesOf(api.key, path)))[0];
    await ask(other, `${NEW}?locale=en`);
    await api.fold(unpublished({ subject: 'entry-200', revision: 2 }));
    let denied = false;
    while (!denied) {
      // What was read of it stays fresh for a while, during which this answer is made again and again.
      await ask(line, NEW);
      api.clock.movedMs += 60;
      denied = (await ask(other, `${NEW}?locale=en`)) === 404;
    }
    expect(await ask(line, NEW)).toBe(404);
  });
});

/** So few that nothing of a day is held, and each request waits for its quota first. */
const FEW = 45;

describe.runIf(HAS_CACHES)('a listing that was not asked for before, of whose day nothing is held', () => {
  test('waits for its quota, then for what is read, and is refused only when the day is used up', async () => {
    const api = await runListings({ dailyLimit: 12 });
    await using _ = api;
    using line = new Line(api.port);
    const statuses: number[] = [];
    let last = '';
    const { byNode } = await countingReads(async () => {
      for (let index = 20; index < 36; index += 1) {
        last = await line.ask(bytesOf(api.key, pathOf(`entry-${index}`)));
        statuses.push(...statusesOf(last));
      }
    });
    expect(statuses).toEqual([...Array<number>(12).fill(200), ...Array<number>(4).fill(429)]);
    expect(byNode).toBeLessThan(12);
    using usualLine = new Line(api.port);
    const bytes = bytesOf(api.key, pathOf('entry-36'));
    expect(steady(last)).toBe(steady(await usualLine.ask(bytes.slice(0, 5), bytes.slice(5))));
  });

  const step = fc.constantFrom('ask', 'absent', 'two at once', 'gone', 'quota down', 'listings down', 'slow');

  test('is counted as often as it is told to have cost something, whatever becomes of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        const api = await runListings({ dailyLimit: FEW });
        await using _ = api;
        let line = await warmLine(api);
        for (const [index, each] of steps.entries()) {
          const bytes = bytesOf(
            api.key,
            pathOf(each === 'absent' ? `absent-${index}` : `entry-${100 + index}`),
          );
          if (each === 'quota down') api.documents.failCollections = ['quota'];
          if (each === 'listings down') api.documents.failCollections = [LISTINGS];
          if (each === 'gone' || each === 'slow') {
            const { letGo, begun } = holdReads(api);
            line.send(bytes);
            await begun;
            if (each === 'gone') line.reset();
            else await new Promise((resolve) => setTimeout(resolve, 210));
            await turns();
            letGo();
            line = new Line(api.port);
          } else if (each === 'two at once') {
            using other = new Line(api.port);
            await other.ask(bytes);
            await Promise.all([line.ask(bytes), other.ask(bytes)]);
          } else await line.ask(bytes);
          api.documents.failCollections = [];
        }
        // What had failed while it was written is seen to by the next one.
        await line.ask(bytesOf(api.key, pathOf('entry-0')));
        const id = `${new Date(api.clock.now()).toISOString().slice(0, 10)}/tests/1`;
        const counted = async (): Promise<number> => {
          const found = await api.documents.get<{ shares: Record<string, number> }>('quota', [id]);
          return Object.values(found.get(id)?.body.shares ?? {}).reduce((sum, one) => sum + one, 0);
        };
        await expect
          .poll(async () => (await counted()) - linesWith(api.log, '"cost":1').length, { timeout: 5000 })
          .toBe(0);
      }),
      { numRuns: 6 },
    );
  });
});
