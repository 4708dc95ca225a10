import { describe, expect, test } from 'vitest';

import { PARKED, parkedId } from '../../../../../src/projecting/engine/parking.ts';
import { claimVersion } from '../../../../../src/stores/claim-version.ts';
import { LISTINGS } from '../../../../support/collections.ts';
import { measured, published, unpublished } from '../../../../support/events.ts';
import { openPastStage, type PastStage } from '../../../../support/past-stage.ts';
import { putDocument } from '../../../../support/documents.ts';

/** `history SLUG`: an entry's life. */

const DAY_MS = 86_400_000;
const BEGIN = Date.parse('2026-01-01T00:00:00Z');
const day = (days: number): number => BEGIN + days * DAY_MS;
const on = (days: number): string => new Date(day(days)).toISOString();

interface Told {
  readonly state: string;
  readonly steps: readonly {
    readonly kind: string;
    readonly recorded_at: string;
    readonly time: string | null;
    readonly topic: string;
    readonly position: number;
    readonly reason: string | null;
    readonly measurements?: number;
    readonly changes: readonly {
      readonly field: string;
      readonly before: unknown;
      readonly after: unknown;
    }[];
  }[];
  readonly unchanged: number;
  readonly left_out: number;
  readonly earlier: number;
  readonly cut: readonly unknown[];
}

async function told(stage: PastStage, ...args: readonly string[]): Promise<Told> {
  const { code, stdout } = await stage.history('ai-news', '--json', ...args);
  expect(code).toBe(0);
  return JSON.parse(stdout) as Told;
}

function measuredOn(days: number, subscribers: number) {
  return measured({ measured_at: on(days), subscribers });
}

async function lived(): Promise<PastStage> {
  const stage = await openPastStage();
  await stage.append(day(0), published({ time: on(0) }));
  for (let days = 1; days <= 90; days += 1)
    await stage.append(day(days), measuredOn(days, 1000 + days), published({ time: on(0) }));
  const renamed = { en: 'AI Daily', ru: 'Новости ИИ' };
  await stage.append(day(91), published({ revision: 3, time: on(91), title: renamed, verified: true }));
  await stage.append(day(92), published({ revision: 2, title: { en: 'Too late' } }));
  await stage.append(day(93), unpublished({ revision: 4, reason: 'owner_request', time: on(93) }));
  await stage.append(day(94), measuredOn(94, 5000));
  await stage.append(day(95), published({ revision: 5, time: on(95), title: { en: 'Back' } }));
  return stage;
}

describe('the steps of a life', () => {
  test('are what readers saw, measurements in a row as one, the rest counted', async () => {
    await using stage = await lived();
    const { steps, state, ...counts } = await told(stage);
    expect(steps.map(({ kind, recorded_at }) => [kind, recorded_at])).toEqual([
      ['published', on(0)],
      ['measured', on(90)],
      ['changed', on(91)],
      ['unpublished', on(93)],
      ['published_again', on(95)],
    ]);
    expect(state).toBe('published');
    expect(counts).toMatchObject({ unchanged: 92, left_out: 0, earlier: 0 });
  });

  test('name the fields that changed, with what they were and what they became', async () => {
    await using stage = await lived();
    const [, , changed, , again] = (await told(stage)).steps;
    expect(changed?.changes).toContainEqual({ field: 'title.en', before: 'AI News', after: 'AI Daily' });
    expect(changed?.changes).toContainEqual({ field: 'verified', before: false, after: true });
    expect(changed?.changes.map(({ field }) => field)).not.toContain('title.ru');
    // Against what readers saw last, and by what was measured meanwhile.
    expect(again?.changes).toContainEqual({ field: 'title.en', before: 'AI Daily', after: 'Back' });
    expect(again?.changes).toContainEqual({ field: 'metrics.subscribers', before: 1090, after: 5000 });
  });

  test('sum up measurements from the first to the last', async () => {
    await using stage = await lived();
    const [, run] = (await told(stage)).steps;
    expect(run).toMatchObject({ measurements: 90, first_recorded_at: on(1), recorded_at: on(90) });
    expect(run?.changes).toContainEqual({ field: 'metrics.subscribers', before: null, after: 1090 });
    expect(JSON.stringify(run).length).toBeLessThan(3000);
  });

  test('say the reason, the time of the event and its place in the log', async () => {
    await using stage = await openPastStage();
    await stage.append(day(1), published());
    const [place] = await stage.append(day(2), unpublished({ time: on(1), reason: 'policy' }));
    expect((await told(stage)).steps.at(-1)).toMatchObject({
      ...place,
      kind: 'unpublished',
      reason: 'policy',
      time: on(1),
      recorded_at: on(2),
      changes: [],
    });
  });

  test('with --since are those from then on, made of the whole life', async () => {
    await using stage = await lived();
    const { steps, earlier } = await told(stage, '--since', on(93));
    expect(steps.map(({ kind }) => kind)).toEqual(['unpublished', 'published_again']);
    expect(earlier).toBe(183);
    expect(steps[1]?.changes).toContainEqual({ field: 'title.en', before: 'AI Daily', after: 'Back' });
  });

  test('are not told of a time to come: --since in the future is a mistake', async () => {
    await using stage = await openPastStage();
    await stage.append(day(0), published());
    const { code, stderr } = await stage.history('ai-news', '--since', '2999-01-01T00:00:00Z');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^catalog: --since must not lie after now, \S+; got 2999-01-01T00:00:00\S*\.\n$/);
  });
});

test('what is parked or refused is left out of the fold, and mentioned', async () => {
  await using stage = await openPastStage();
  await stage.append(day(0), published());
  const [parked] = await stage.append(day(1), published({ revision: 2, title: { en: 'Parked' } }));
  const wrong = { ...published(), data: { revision: 'x' } };
  await stage.append(day(2), wrong);
  const { documents } = stage.parts;
  await claimVersion(documents, { name: 'listings', version: 1, collection: LISTINGS, fold: 'test' });
  await documents.declare(PARKED);
  const { topic = '', partition = 0, position = 0 } = parked ?? {};
  const id = parkedId({ readModel: LISTINGS, topic, partition }, 0, position);
  const body = { state: 'parked', readModel: LISTINGS, topic, partition, position, timestamp: day(1) };
  await putDocument(documents, PARKED.name, id, body);
  const { steps, left_out: leftOut } = await told(stage);
  expect(steps.map(({ kind }) => kind)).toEqual(['published']);
  expect(leftOut).toBe(2);
  const { stdout } = await stage.history('ai-news');
  expect(stdout).toContain('2 events left out, as they cannot be used');
});

test('an event without a key is part of the life', async () => {
  await using stage = await openPastStage();
  const value = Buffer.from(JSON.stringify(published()));
  await stage.append(day(0), { topic: 'catalog.entries', key: null, value, headers: {} });
  expect((await told(stage)).steps.map(({ kind }) => kind)).toEqual(['published']);
});

test('a person reads a line a step, and a line for each field that changed', async () => {
  await using stage = await lived();
  const { code, stdout, stderr } = await stage.history('AI-News');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^in the log +event time +what +record +details$/);
  expect(lines[1]).toMatch(
    /^2026-01-01 00:00:00 +2026-01-01 00:00:00 +published +catalog\.entries\/\d\/0 +kind "channel", username "ai_news", .*title\.en "AI News"/,
  );
  expect(lines[2]).toMatch(/ measured .+ 90 times since 2026-01-02 00:00:00: .*subscribers: - → 1,090/);
  expect(stdout).toMatch(/ changed .+title\.en: "AI News" → "AI Daily"\n +verified: false → true\n/);
  expect(stdout).toMatch(/ unpublished .+ reason: owner_request\n/);
  expect(stdout).toMatch(/ published again [^]+ title\.en: "AI Daily" → "Back"\n/);
  expect(stdout).toContain('ai-news is published now.\n');
  expect(stdout).toContain(
    '92 events changed nothing readers see: "npm run -s catalog -- trace ai-news" says more.\n',
  );
  expect(lines.length).toBeLessThan(30);
});

describe('bad input', () => {
  test.each([
    [['unknown'], 1, /^catalog: The log holds no event about unknown\.\n$/],
    [['unknown', '--at', '2026-01-02T00:00:00Z'], 1, /^catalog: The log holds no event about unknown\.\n$/],
    [['no slug!'], 2, /^catalog: "no slug!" is no slug: expected .+\n$/],
    [[], 2, /^catalog: Give the slug of an entry, or --top with --at\.\n$/],
    [['ai-news', '--at', '1d', '--since', '7d'], 2, /^catalog: --at is about one moment: .+\n$/],
    [['ai-news', '--since', 'monday'], 2, /^catalog: .+RFC 3339 date-time\. See .+\n$/],
  ])('%j is one line of explanation', async (args, exitCode, explanation) => {
    await using stage = await openPastStage();
    await stage.append(day(1), published());
    const { code, stdout, stderr } = await stage.history(...args);
    expect([code, args.includes('--json') ? '' : stdout]).toEqual([exitCode, '']);
    expect(stderr).toMatch(explanation);
  });

  test('a log that was cut is said to be', async () => {
    await using stage = await openPastStage();
    await stage.append(day(0), published());
    const [place] = await stage.append(day(1), published({ revision: 2 }));
    const { topic = '', partition = 0, position = 0 } = place ?? {};
    stage.cut(topic, partition, position);
    expect((await told(stage)).cut).toEqual([{ topic, partition, from: position, since: on(1) }]);
    const { stderr } = await stage.history('ai-news');
    expect(stderr).toMatch(/^The log no longer holds its beginning: .+ is missing in this answer\.\n$/);
  });
});
