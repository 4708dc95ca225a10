import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createKeys, type Keys } from '../../../src/access/keys.ts';
import { isWellFormed, newKey } from '../../../src/access/key-format.ts';
import { RetryableError, UsageError } from '../../../src/platform/errors.ts';
import type { Documents } from '../../../src/stores/documents/port.ts';
import { faulty, manualClock, openFile, type Faults, type ManualClock } from './fixture.ts';

const PEPPER = 'a pepper for tests alone';

let file: ReturnType<typeof openFile>;
let clock: ManualClock;
let documents: Documents;
let faults: Faults;
let keys: Keys;

beforeEach(async () => {
  file = openFile();
  clock = manualClock();
  ({ documents, faults } = faulty(file.client(clock)));
  keys = instance();
  await keys.declare();
});

afterEach(async () => {
  await file[Symbol.asyncDispose]();
});

/** One more process: its own client and its own memory, on the same store and with the same time. */
function instance(on: Documents = documents): Keys {
  return createKeys({
    documents: on,
    pepper: PEPPER,
    clock: { ...clock, now: () => clock.time, sleep: sleepBriefly },
  });
}

/** Pauses between attempts are real and short; the 900 ms of patience are over when the clock is moved. */
function sleepBriefly(ms: number, signal?: AbortSignal): Promise<void> {
  return ms < 100 ? new Promise((resolve) => setImmediate(resolve)) : clock.sleep(ms, signal);
}

async function created(account = 'acme', on = keys) {
  const answer = await on.create(account);
  if (answer.outcome !== 'created') throw new Error(answer.outcome);
  return answer;
}

const REFUSED = { outcome: 'refused' };

describe('creating keys', () => {
  test('a new key is well formed, works at once on every instance, and belongs to its account', async () => {
    const { key, id } = await created();
    expect(isWellFormed(key)).toBe(true);
    for (const on of [keys, instance(file.client())]) {
      expect(await on.check(key)).toEqual({ outcome: 'active', keyId: id, account: 'acme' });
    }
  });

  test('a key that was unknown a moment ago works as soon as it is created', async () => {
    const key = newKey();
    expect(await keys.check(key)).toEqual(REFUSED);
    const other = await created();
    expect((await keys.check(other.key)).outcome).toBe('active');
  });

  test('the key itself is stored nowhere', async () => {
    const { key } = await created();
    const stored: unknown[] = [];
    for (const name of await documents.collections()) {
      for await (const batch of documents.scan(name)) stored.push(...batch);
    }
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain(key.slice(9, 39));
  });

  test('an account has at most 5 active keys', async () => {
    for (let count = 0; count < 5; count += 1) await created();
    expect(await keys.create('acme')).toEqual({ outcome: 'limit_reached', limit: 5 });
    expect((await keys.create('another')).outcome).toBe('created');
  });

  test('of 20 parallel creations over 4 instances exactly 5 succeed, and all 5 keys work', async () => {
    const instances = [1, 2, 3, 4].map(() => instance(file.client()));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (instances[index % 4] ?? keys).create('acme')),
    );
    const successes = answers.filter((answer) => answer.outcome === 'created');
    expect(successes).toHaveLength(5);
    for (const { key } of successes) expect((await keys.check(key)).outcome).toBe('active');
    expect(await keys.list('acme')).toHaveLength(5);
    expect(await documents.count('keys', { where: {}, by: [] })).toEqual([{ values: [], count: 5 }]);
  });

  test('a revoked key makes room for a new one', async () => {
    const first = await created();
    for (let count = 0; count < 4; count += 1) await created();
    await keys.revoke('acme', first.id);
    expect((await keys.create('acme')).outcome).toBe('created');
  });

  test('a lost answer neither loses the key nor takes two places', async () => {
    for (const lost of [1, 2]) {
      faults.answersToLose = lost;
      const { key } = await created();
      expect((await keys.check(key)).outcome).toBe('active');
    }
    expect(await keys.list('acme')).toHaveLength(2);
  });

  test('a lost answer is told from a conflict although another instance has changed the account since', async () => {
    const another = instance(file.client());
    faults.afterWrite = async (collection) => {
      if (collection !== 'accounts') return;
      faults.afterWrite = () => Promise.resolve();
      faults.answersToLose = 1;
      await another.create('acme');
    };
    const { key } = await created();
    expect((await keys.check(key)).outcome).toBe('active');
    expect(await keys.list('acme')).toHaveLength(2);
  });

  test('a crash before the account is written opens no door and takes no place', async () => {
    const written: string[] = [];
    const dying: Documents = {
      ...documents,
      get: (collection, ids) => documents.get(collection, ids),
      write: (collection, writes) => {
        written.push(collection);
        if (collection === 'accounts') throw new RetryableError('The process died');
        return documents.write(collection, writes);
      },
    };
    await expect(instance(dying).create('acme')).rejects.toThrow(RetryableError);
    expect(written[0]).toBe('keys');
    expect(await keys.list('acme')).toEqual([]);
  });

  test.each(['', 'Acme', '-acme', 'a b', 'a'.repeat(65), 'акме', '__proto__'])(
    '"%s" is no account name',
    async (name) => {
      await expect(keys.create(name)).rejects.toThrow(UsageError);
      await expect(keys.list(name)).rejects.toThrow(UsageError);
      await expect(keys.revoke(name, 'k_0123456789')).rejects.toThrow(UsageError);
    },
  );

  test.each(['', 'two\nlines', 'x'.repeat(101)])('"%s" is no label', async (label) => {
    await expect(keys.create('acme', { label })).rejects.toThrow(UsageError);
  });
});

describe('listing and revoking keys', () => {
  test('a list shows the labels and times of keys, active and revoked, oldest first, and no secret', async () => {
    await keys.create('acme', { label: 'the website' });
    clock.advance(1000);
    const second = await created();
    clock.advance(1000);
    await keys.revoke('acme', second.id);
    expect(await keys.list('acme')).toEqual([
      {
        id: expect.stringMatching(/^k_/) as string,
        account: 'acme',
        label: 'the website',
        createdAt: '2026-11-20T10:00:00.000Z',
        revokedAt: null,
      },
      {
        id: second.id,
        account: 'acme',
        label: null,
        createdAt: '2026-11-20T10:00:01.000Z',
        revokedAt: '2026-11-20T10:00:02.000Z',
      },
    ]);
  });

  test('an account without keys has an empty list', async () => {
    expect(await keys.list('nobody')).toEqual([]);
  });

  test('all active and the last 20 revoked keys stay listed', async () => {
    const kept = await created();
    const revoked: string[] = [];
    for (let count = 0; count < 25; count += 1) {
      const { id } = await created();
      clock.advance(1000);
      await keys.revoke('acme', id);
      revoked.push(id);
    }
    expect((await keys.list('acme')).map(({ id }) => id)).toEqual([kept.id, ...revoked.slice(-20)]);
  });

  test('a key is revoked by its id alone, and again with the same answer', async () => {
    const { key, id } = await created();
    const answer = { outcome: 'revoked', account: 'acme', revokedAt: '2026-11-20T10:00:00.000Z' };
    expect(await keys.revoke(null, id)).toEqual(answer);
    clock.advance(5000);
    expect(await keys.revoke('acme', id)).toEqual(answer);
    expect(await keys.check(key)).toEqual(REFUSED);
  });

  test("another account's key and an id that nobody has are unknown, and nothing happens to them", async () => {
    const { key, id } = await created();
    expect(await keys.revoke('another', id)).toEqual({ outcome: 'unknown' });
    expect(await keys.revoke(null, 'k_0123456789')).toEqual({ outcome: 'unknown' });
    expect((await keys.check(key)).outcome).toBe('active');
  });
});

describe('checking keys', () => {
  test.each(['', 'cat_live_', `${newKey()} `, newKey().replace(/.$/, '-')])(
    'a malformed key ("%s") is refused without a read',
    async (raw) => {
      faults.down = true;
      expect(await keys.check(raw)).toEqual(REFUSED);
    },
  );

  test('a well-formed key that nobody was given is refused', async () => {
    expect(await keys.check(newKey())).toEqual(REFUSED);
  });

  test('a key under another pepper is refused', async () => {
    const { key } = await created();
    const other = createKeys({ documents, pepper: 'another pepper', clock });
    expect(await other.check(key)).toEqual(REFUSED);
  });

  test('an empty pepper is refused at start', () => {
    expect(() => createKeys({ documents, pepper: '', clock })).toThrow(UsageError);
  });

  test('a pointer to an account that does not list the key opens nothing', async () => {
    const { key } = await created('acme');
    await created('another');
    for await (const batch of documents.scan<object>('accounts')) {
      await documents.remove(
        'accounts',
        batch.map(({ id, version }) => ({ id, read: version })),
      );
    }
    expect(await instance().check(key)).toEqual(REFUSED);
  });

  test('a checked key costs no read for a second, and one read for all who wait after that', async () => {
    const { key } = await created();
    await keys.check(key);
    const reads = faults.calls['get'] ?? 0;
    clock.advance(1000);
    await Promise.all(Array.from({ length: 100 }, () => keys.check(key)));
    expect(faults.calls['get']).toBe(reads);
    clock.advance(1);
    await Promise.all(Array.from({ length: 100 }, () => keys.check(key)));
    expect(faults.calls['get']).toBe(reads + 1);
  });

  test('100 first checks of one key cost one look-up', async () => {
    const { key } = await created();
    const reads = faults.calls['get'] ?? 0;
    await Promise.all(Array.from({ length: 100 }, () => keys.check(key)));
    expect(faults.calls['get']).toBe(reads + 2);
  });

  test('a revocation elsewhere is effective after a second, although the key is in use all the time', async () => {
    const { key, id } = await created();
    await keys.check(key);
    await instance(file.client()).revoke(null, id);
    for (let passed = 0; passed <= 1000; passed += 100) {
      expect((await keys.check(key)).outcome).toBe('active');
      clock.advance(100);
    }
    expect(await keys.check(key)).toEqual(REFUSED);
  });
});

describe('with the store down', () => {
  test('a known key works for 60 s from its last confirmation, and then fails as retryable', async () => {
    const { key } = await created();
    await keys.check(key);
    faults.down = true;
    for (let passed = 0; passed < 60; passed += 5) {
      clock.advance(5000);
      expect((await keys.check(key)).outcome).toBe('active');
    }
    clock.advance(1);
    await expect(keys.check(key)).rejects.toThrow(RetryableError);
  });

  test('an unknown key fails as retryable', async () => {
    const { key } = await created();
    faults.down = true;
    await expect(keys.check(key)).rejects.toThrow(RetryableError);
  });

  test('the store is asked at most once a second for a known key', async () => {
    const { key } = await created();
    await keys.check(key);
    faults.down = true;
    clock.advance(1001);
    await keys.check(key);
    const reads = faults.calls['get'] ?? 0;
    for (let step = 0; step < 100; step += 1) {
      clock.advance(99);
      await keys.check(key);
      await turn();
    }
    expect((faults.calls['get'] ?? 0) - reads).toBeLessThanOrEqual(10);
    expect((faults.calls['get'] ?? 0) - reads).toBeGreaterThanOrEqual(8);
  });

  test('when it is back, a key that was revoked meanwhile is refused within a second', async () => {
    const { key, id } = await created();
    await keys.check(key);
    faults.down = true;
    clock.advance(30_000);
    expect((await keys.check(key)).outcome).toBe('active');
    await instance(file.client()).revoke(null, id);
    faults.down = false;
    clock.advance(1000);
    // This request starts the read and does not wait for it.
    await keys.check(key);
    await expect.poll(() => keys.check(key)).toEqual(REFUSED);
  });

  test('a store that does not answer holds a known key up for 900 ms once, and not again', async () => {
    const { key } = await created();
    await keys.check(key);
    const hang = Promise.withResolvers<void>();
    faults.hang = hang.promise;
    clock.advance(1001);
    const waiting = keys.check(key);
    await turn();
    clock.advance(900);
    expect((await waiting).outcome).toBe('active');
    clock.advance(5000);
    expect((await keys.check(key)).outcome).toBe('active');
    hang.resolve();
  });

  test('a clock that was put back does not make an old confirmation fresh', async () => {
    const { key, id } = await created();
    await keys.check(key);
    await instance(file.client()).revoke(null, id);
    clock.advance(-3_600_000);
    expect(await keys.check(key)).toEqual(REFUSED);
  });
});

/** What was started has had its turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
