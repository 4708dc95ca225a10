import { describe, expect, test } from 'vitest';

import { isWellFormed } from '../../../../src/access/keys/key-format.ts';
import { RetryableError, UsageError } from '../../../../src/platform/errors.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';
import { openKeys, REFUSED } from './stage.ts';

const stage = forEachTest(openKeys);

describe('creating keys', () => {
  test('a new key is well formed, works at once on every instance, and belongs to its account', async () => {
    const { key, id } = await stage.created();
    expect(isWellFormed(key)).toBe(true);
    for (const on of [stage.keys, stage.instance()]) {
      expect(await on.check(key)).toEqual({ outcome: 'active', keyId: id, place: 'acme/1' });
    }
  });

  test('of 20 parallel creations over 4 instances exactly 5 succeed, and all 5 keys work', async () => {
    const instances = [1, 2, 3, 4].map(() => stage.instance());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (instances[index % 4] ?? stage.keys).create('acme')),
    );
    const successes = answers.filter((answer) => answer.outcome === 'created');
    expect(successes).toHaveLength(5);
    for (const { key } of successes) expect((await stage.keys.check(key)).outcome).toBe('active');
    expect(await stage.keys.list('acme')).toHaveLength(5);
    expect(await stage.documents.count('keys', { where: {}, by: [] })).toEqual([{ values: [], count: 5 }]);
  });

  test('a lost answer neither loses the key nor takes two places', async () => {
    for (const lost of [1, 2]) {
      stage.faults.answersToLose = lost;
      const { key } = await stage.created();
      expect((await stage.keys.check(key)).outcome).toBe('active');
    }
    expect(await stage.keys.list('acme')).toHaveLength(2);
  });

  test('a lost answer is told from a conflict although another instance has changed the account since', async () => {
    const another = stage.instance();
    stage.faults.afterWrite = async (collection) => {
      if (collection !== 'accounts') return;
      stage.faults.afterWrite = () => Promise.resolve();
      stage.faults.answersToLose = 1;
      await another.create('acme');
    };
    const { key } = await stage.created();
    expect((await stage.keys.check(key)).outcome).toBe('active');
    expect(await stage.keys.list('acme')).toHaveLength(2);
  });

  test('a crash before the account is written opens no door and takes no place', async () => {
    const written: string[] = [];
    const dying = overriding(stage.documents, {
      write: (collection, writes) => {
        written.push(collection);
        if (collection === 'accounts') throw new RetryableError('The process died');
        return stage.documents.write(collection, writes);
      },
    });
    await expect(stage.instance(dying).create('acme')).rejects.toThrow(RetryableError);
    expect(written[0]).toBe('keys');
    expect(await stage.keys.list('acme')).toEqual([]);
  });

  test.each(['', 'Acme', '-acme', 'a b', 'a'.repeat(65), 'акме', '__proto__'])(
    '"%s" is no account name',
    async (name) => {
      await expect(stage.keys.create(name)).rejects.toThrow(UsageError);
      await expect(stage.keys.list(name)).rejects.toThrow(UsageError);
      await expect(stage.keys.revoke(name, 'k_0123456789')).rejects.toThrow(UsageError);
    },
  );

  test.each(['', 'two\nlines', 'x'.repeat(101)])('"%s" is no label', async (label) => {
    await expect(stage.keys.create('acme', { label })).rejects.toThrow(UsageError);
  });
});

describe('listing and revoking keys', () => {
  test('a list shows the labels and times of keys, active and revoked, oldest first, and no secret', async () => {
    await stage.keys.create('acme', { label: 'the website' });
    stage.clock.advance(1000);
    const second = await stage.created();
    stage.clock.advance(1000);
    await stage.keys.revoke('acme', second.id);
    expect(await stage.keys.list('acme')).toEqual([
      {
        id: expect.stringMatching(/^k_/) as string,
        label: 'the website',
        place: 1,
        created_at: '2026-11-20T10:00:00.000Z',
        revoked_at: null,
        expires_at: null,
      },
      {
        id: second.id,
        label: null,
        place: 2,
        created_at: '2026-11-20T10:00:01.000Z',
        revoked_at: '2026-11-20T10:00:02.000Z',
        expires_at: null,
      },
    ]);
  });

  test('all active and the last 20 revoked keys stay listed', async () => {
    const kept = await stage.created();
    const revoked: string[] = [];
    for (let count = 0; count < 25; count += 1) {
      const { id } = await stage.created();
      stage.clock.advance(1000);
      await stage.keys.revoke('acme', id);
      revoked.push(id);
    }
    expect((await stage.keys.list('acme')).map(({ id }) => id)).toEqual([kept.id, ...revoked.slice(-20)]);
  });

  test('a key is revoked by its id, and again with the same end', async () => {
    const { key, id } = await stage.created();
    expect(await stage.keys.revoke('acme', id)).toBe(true);
    stage.clock.advance(5000);
    expect(await stage.keys.revoke('acme', id)).toBe(true);
    expect(await stage.keys.list('acme')).toMatchObject([{ revoked_at: '2026-11-20T10:00:00.000Z' }]);
    expect(await stage.keys.check(key)).toEqual(REFUSED);
  });

  test("another account's key and an id that nobody has are unknown, and nothing happens to them", async () => {
    const { key, id } = await stage.created();
    expect(await stage.keys.revoke('another', id)).toBe(false);
    expect(await stage.keys.revoke('acme', 'k_0123456789')).toBe(false);
    expect((await stage.keys.check(key)).outcome).toBe('active');
  });
});
