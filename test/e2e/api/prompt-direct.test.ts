import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunningApi } from '../../support/api.ts';
import { HAS_CACHES } from '../../support/caches.ts';
import { LISTINGS } from '../../support/collections.ts';
import { costOf, idOf, leftOf, lineOf, statusesOf } from '../../support/http-answers.ts';
import { countingReads, Line, steady } from '../../support/line.ts';
import { bytesOf, DAILY_LIMIT, pathOf, runListings, SLUGS, warmLine } from '../../support/new-listings.ts';

/**
 * Listings that were not asked for before, at the socket: beside the same request answered by Node and Express, which is the
 * way that one in two pieces takes.
 */

describe('a listing that was not asked for before', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await runListings();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  test.runIf(HAS_CACHES)('is answered at the socket with one read, and Node does not see it', async () => {
    using line = await warmLine(api);
    const { made, byNode } = await countingReads(async () => {
      const answers: string[] = [];
      for (let index = 270; index < 290; index += 1)
        answers.push(await line.ask(bytesOf(api.key, pathOf(`entry-${index}`))));
      return answers;
    });
    // A moment so long that a key has to be confirmed again goes the other way.
    expect(byNode).toBeLessThan(20);
    for (const [index, answer] of made.entries()) {
      expect(answer).toContain(`"slug":"entry-${270 + index}"`);
      expect(costOf(answer)).toBe(1);
    }
    expect(new Set(made.map(idOf)).size).toBe(20);
  });

  test.runIf(HAS_CACHES)('and that many ask for at one moment is read once', async () => {
    const lines = await Promise.all(Array.from({ length: 32 }, () => warmLine(api)));
    const before = api.documents.calls.filter((call) => call.startsWith(`get ["${LISTINGS}"`)).length;
    const answers = await Promise.all(lines.map((line) => line.ask(bytesOf(api.key, pathOf('entry-299')))));
    for (const line of lines) line[Symbol.dispose]();
    expect(new Set(answers.map(steady)).size).toBe(1);
    expect(statusesOf(answers[0] ?? '')).toEqual([200]);
    expect(api.documents.calls.filter((call) => call.startsWith(`get ["${LISTINGS}"`)).length - before).toBe(
      1,
    );
  });

  const targets = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...SLUGS).map(pathOf) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...SLUGS),
          fc.constantFrom('?locale=en', '?locale=ru', '?locale=de', '?locale=', '?'),
        )
        .map(([slug, query]) => pathOf(slug) + query),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...[
          'gone',
          'nobody',
          'ENTRY-7',
          'entry%2D8',
          'entry-9/',
          'entry-10//',
          '-',
          '--',
          'a'.repeat(129),
        ].map(pathOf),
        ...['?locale=en&locale=ru', '?lang=en', '?locale=en#x', '?LOCALE=en', '?key=1', '?api_key=a'].map(
          (query) => pathOf('entry-11') + query,
        ),
        pathOf(''),
        '/api/v1/listings',
        '/api/v1/Listings/entry-12',
        '/api/v1//listings/entry-12',
        '/api/v1/listings/../listings/entry-13',
        'http://x/api/v1/listings/entry-14',
        '/api/v1/listings/entry-15%00',
        '/api/v1/listings/%D1%8B',
      ),
    },
  );
  const others = fc.subarray(
    [
      'Accept-Encoding: gzip, br',
      'Accept-Encoding: gzip;q=1, identity;q=0',
      'If-None-Match: "x"',
      'Accept: */*',
    ],
    { maxLength: 2 },
  );

  test('has the same bytes, the same line in the log and the same effect on the quota either way', async () => {
    const ways = { atSocket: 0 };
    await fc.assert(
      fc.asyncProperty(targets, others, async (target, fields) => {
        using line = await warmLine(api, ...fields);
        using slow = new Line(api.port);
        const bytes = bytesOf(api.key, target, ...fields);
        // Whatever was answered a moment ago is no longer given again.
        api.clock.movedMs += 101;
        const before = await line.ask(bytesOf(api.key, pathOf('entry-0'), ...fields));
        const { made: quick, byNode } = await countingReads(async () => await line.ask(bytes));
        const usual = await slow.ask(bytes.slice(0, 5), bytes.slice(5));
        if (byNode === 0) ways.atSocket += 1;
        const lines = [quick, usual].map((answer) => lineOf(api.log, answer));
        const isTold = costOf(usual) === 1 || !lines.includes('none');
        // Where no key was looked at, the whole day is left.
        const isCounted = [quick, usual].every(
          (answer) => leftOf(answer) > 0 && leftOf(answer) < DAILY_LIMIT,
        );
        expect({
          bytes: steady(quick),
          line: isTold ? lines[0] : null,
          taken: isCounted ? [leftOf(before) - leftOf(quick), leftOf(quick) - leftOf(usual)] : null,
        }).toEqual({
          bytes: steady(usual),
          line: isTold ? lines[1] : null,
          taken: isCounted ? [costOf(usual), costOf(usual)] : null,
        });
      }),
      { numRuns: 200 },
    );
    // Else it would have compared nothing.
    expect(ways.atSocket > 30).toBe(HAS_CACHES);
  });
});
