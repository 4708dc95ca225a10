import { describe, expect, test } from 'vitest';

import { runApi, type RunningApi } from '../../support/api.ts';

describe('a used-up day', () => {
  const DAY = 3;
  async function exhausted(): Promise<RunningApi> {
    const small = await runApi({ dailyLimit: DAY });
    for (let count = 0; count < DAY; count += 1) await small.get('/status');
    expect((await small.get('/status')).status).toBe(429);
    return small;
  }
  const ask = async ({ url }: RunningApi, key: string) => {
    const { status: code, headers } = await fetch(`${url}/api/v1/status`, { headers: { 'x-api-key': key } });
    return [code, headers.get('x-ratelimit-remaining')];
  };
  const idOf = async ({ keys }: RunningApi) => String((await keys.list('tests')).at(-1)?.id);

  test.each([0, 600_000])('stays so for the key that takes its place (overlap %i ms)', async (overlapMs) => {
    await using small = await exhausted();
    const rotated = await small.keys.rotate('tests', await idOf(small), { overlapMs });
    if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
    expect(await ask(small, rotated.key)).toEqual([429, '0']);
  });

  test('stays so for a key that is created after it was revoked; another place has a day of its own', async () => {
    await using small = await exhausted();
    await small.keys.revoke('tests', await idOf(small));
    const created = await small.keys.create('tests');
    if (created.outcome !== 'created') throw new Error(created.outcome);
    expect(await ask(small, created.key)).toEqual([429, '0']);
    const second = await small.keys.create('tests');
    if (second.outcome !== 'created') throw new Error(second.outcome);
    expect(await ask(small, second.key)).toEqual([200, String(DAY - 1)]);
  });

  test('is told as such to both keys of a rotation', async () => {
    await using small = await runApi({ dailyLimit: DAY });
    const rotated = await small.keys.rotate('tests', await idOf(small), { overlapMs: 600_000 });
    if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
    const both = [small.key, rotated.key, small.key, rotated.key, small.key];
    const answers: unknown[] = [];
    for (const key of both) answers.push(await ask(small, key));
    expect(answers).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
      [429, '0'],
    ]);
  });
});
