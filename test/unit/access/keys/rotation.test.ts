import { describe, expect, test } from 'vitest';

import { newKey } from '../../../../src/access/keys/key-format.ts';
import type { Keys } from '../../../../src/access/keys/keys.ts';
import { RetryableError, UsageError } from '../../../../src/platform/errors.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { openKeys, REFUSED } from './stage.ts';

const HOUR = 3_600_000;

const stage = forEachTest(openKeys);

async function rotated(id: string, overlapMs = HOUR, on: Keys = stage.keys) {
  const answer = await on.rotate('acme', id, { overlapMs });
  if (answer.outcome !== 'rotated') throw new Error(answer.outcome);
  return answer;
}

const works = async (key: string, on = stage.keys) => (await on.check(key)).outcome === 'active';

describe('rotating a key', () => {
  test('makes a new one at once, and the old one works to the end of the overlap and no longer', async () => {
    const old = await stage.created();
    const fresh = await rotated(old.id);
    expect(fresh.oldEndsAt).toBe('2026-11-20T11:00:00.000Z');
    stage.clock.advance(HOUR - 1);
    expect(await works(old.key)).toBe(true);
    stage.clock.advance(1);
    expect(await stage.keys.check(old.key)).toEqual(REFUSED);
    expect(await stage.instance().check(old.key)).toEqual(REFUSED);
    expect(await works(fresh.key)).toBe(true);
  });

  test('shows when the old one ends, and takes its label over unless another is given', async () => {
    const { id } = (await stage.keys.create('acme', { label: 'website' })) as { readonly id: string };
    const first = await rotated(id);
    expect(first).toMatchObject({ label: 'website', expires_at: null });
    const second = await stage.keys.rotate('acme', first.id, { overlapMs: HOUR, label: 'mobile' });
    expect(second).toMatchObject({ outcome: 'rotated', label: 'mobile' });
    expect((await stage.keys.list('acme')).map(({ label, expires_at }) => ({ label, expires_at }))).toEqual([
      { label: 'website', expires_at: '2026-11-20T11:00:00.000Z' },
      { label: 'website', expires_at: '2026-11-20T11:00:00.000Z' },
      { label: 'mobile', expires_at: null },
    ]);
  });

  test('without an overlap ends the old one in the same write, whatever the clock says later', async () => {
    const old = await stage.created();
    let accountWrites = 0;
    stage.faults.afterWrite = async (collection) => void (accountWrites += Number(collection === 'accounts'));
    const fresh = await rotated(old.id, 0);
    expect(accountWrites).toBe(1);
    expect(await works(fresh.key)).toBe(true);
    expect(await stage.keys.check(old.key)).toEqual(REFUSED);
    stage.clock.advance(-24 * HOUR);
    expect(await stage.keys.check(old.key)).toEqual(REFUSED);
  });

  test('20 times at once over 4 instances replaces each key once and never exceeds 5', async () => {
    const olds = [await stage.created(), await stage.created(), await stage.created()];
    const instances = [1, 2, 3, 4].map(() => stage.instance());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (instances[index % 4] ?? stage.keys).rotate('acme', String(olds[index % 3]?.id), { overlapMs: HOUR }),
      ),
    );
    const successes = answers.filter((answer) => answer.outcome === 'rotated');
    expect(successes).toHaveLength(2);
    for (const { key } of successes) expect(await works(key)).toBe(true);
    const listed = await stage.keys.list('acme');
    expect(listed).toHaveLength(5);
    expect(listed.filter(({ expires_at }) => expires_at !== null)).toHaveLength(2);
    expect(await stage.documents.count('keys', { where: {}, by: [] })).toEqual([{ values: [], count: 5 }]);
  });

  test('is refused for a key that is unknown, has ended, or is being replaced', async () => {
    const [unknown, ended, expiring] = [
      await stage.created('another'),
      await stage.created(),
      await stage.created(),
    ];
    await stage.keys.revoke('acme', ended.id);
    await rotated(expiring.id);
    const options = { overlapMs: HOUR };
    expect(await stage.keys.rotate('acme', unknown.id, options)).toEqual({ outcome: 'unknown' });
    const endedAt = '2026-11-20T10:00:00.000Z';
    expect(await stage.keys.rotate('acme', ended.id, options)).toEqual({ outcome: 'ended', endedAt });
    const expiresAt = '2026-11-20T11:00:00.000Z';
    expect(await stage.keys.rotate('acme', expiring.id, options)).toEqual({ outcome: 'expiring', expiresAt });
    stage.clock.advance(HOUR);
    expect(await stage.keys.rotate('acme', expiring.id, options)).toEqual({
      outcome: 'ended',
      endedAt: expiresAt,
    });
    expect(await stage.keys.revoke('acme', expiring.id)).toBe(false);
  });

  test.each([-1, 0.5, Number.NaN, 90 * 24 * HOUR + 1])('an overlap of %s ms is none', async (overlapMs) => {
    const { id } = await stage.created();
    await expect(stage.keys.rotate('acme', id, { overlapMs })).rejects.toThrow(UsageError);
  });

  test('a key in the place of an id or of a label is refused, and not repeated', async () => {
    const key = newKey();
    const { id } = await stage.created();
    for (const rotating of [
      stage.keys.rotate('acme', key, { overlapMs: 0 }),
      stage.keys.rotate('acme', id, { overlapMs: 0, label: `was ${key}` }),
      stage.keys.revoke('acme', key),
    ]) {
      const refusal = await rotating.then(String, String);
      expect(refusal).toContain('UsageError');
      expect(refusal).not.toContain(key.slice(9));
    }
  });
});

test('a place where the replaced key still works is not free, though its successor was revoked', async () => {
  const old = await stage.created();
  const fresh = await rotated(old.id);
  await stage.keys.revoke('acme', fresh.id);
  expect(await stage.keys.check((await stage.created()).key)).toMatchObject({ place: 'acme/2' });
  expect(await stage.keys.check(old.key)).toMatchObject({ place: 'acme/1' });
});

describe('answers that are lost', () => {
  test('neither lose the new key nor rotate twice', async () => {
    const old = await stage.created();
    stage.faults.answersToLose = 2;
    const fresh = await rotated(old.id);
    expect(await works(fresh.key)).toBe(true);
    expect(await stage.keys.list('acme')).toHaveLength(2);
  });

  test('to the end are said to have perhaps changed the account', async () => {
    const old = await stage.created();
    stage.faults.afterWrite = async (collection) => {
      if (collection === 'accounts') stage.faults.answersToLose = 1;
    };
    const refusal = stage.keys.rotate('acme', old.id, { overlapMs: HOUR });
    await expect(refusal).rejects.toThrow(RetryableError);
    await expect(refusal).rejects.toThrow('keys list --account acme" shows it');
  });
});

describe('a key that expires', () => {
  test('is refused on every instance without anybody writing, though in use all the time', async () => {
    const old = await stage.created();
    const other = stage.instance();
    expect(await works(old.key, other)).toBe(true);
    await rotated(old.id, 10_000);
    for (let passed = 0; passed < 10_000; passed += 500) {
      expect(await works(old.key, other)).toBe(true);
      stage.clock.advance(500);
    }
    expect(await other.check(old.key)).toEqual(REFUSED);
  });

  test('is refused within a second of the store’s clock being set beyond its end', async () => {
    const old = await stage.created();
    await rotated(old.id);
    stage.clock.advance(61_000);
    expect(await works(old.key)).toBe(true);
    stage.clock.time += HOUR;
    stage.clock.advance(1001);
    expect(await works(old.key)).toBe(false);
  });

  test.each([-24 * HOUR, 24 * HOUR])(
    'ends by the clock of the store, not by one that is %i ms away from it',
    async (away) => {
      const old = await stage.created();
      await rotated(old.id, 30_000);
      const wrong = stage.instance(undefined, undefined, away);
      expect(await works(old.key, wrong)).toBe(true);
      stage.clock.advance(29_999);
      expect(await works(old.key, wrong)).toBe(true);
      stage.clock.advance(1);
      expect(await wrong.check(old.key)).toEqual(REFUSED);
    },
  );
});
