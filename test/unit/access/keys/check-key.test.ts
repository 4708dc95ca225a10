import { describe, expect, test } from 'vitest';

import { newKey } from '../../../../src/access/keys/key-format.ts';
import { createKeys, type Keys } from '../../../../src/access/keys/keys.ts';
import { RetryableError, UsageError } from '../../../../src/platform/errors.ts';
import { captureLog } from '../../../support/captured-log.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { openKeys, PEPPER, REFUSED, turn } from './stage.ts';

const stage = forEachTest(openKeys);

/** Revokes a key; something happens between the notice of it and the account. */
async function revoke(id: string, happens: () => Promise<void>): Promise<void> {
  stage.faults.afterWrite = () => {
    stage.faults.afterWrite = () => Promise.resolve();
    return happens();
  };
  stage.faults.spared = [];
  await stage.keys.revoke('acme', id);
}

/** A new key that an instance has seen. */
async function known(keys: Keys = stage.keys) {
  const created = await stage.created();
  await keys.check(created.key);
  return created;
}

async function expectRefusedSoon(keys: Keys, key: string): Promise<void> {
  stage.clock.advance(1001);
  expect(await keys.check(key)).toEqual(REFUSED);
}

describe('checking keys', () => {
  test.each(['', 'cat_live_', `${newKey()} `, newKey().replace(/.$/, '-')])(
    'a malformed key ("%s") is refused without a read',
    async (raw) => {
      stage.faults.down = true;
      expect(await stage.keys.check(raw)).toEqual(REFUSED);
    },
  );

  test('a key under another pepper is refused', async () => {
    const { key } = await stage.created();
    const other = createKeys({ documents: stage.documents, pepper: 'another pepper', clock: stage.clock });
    expect(await other.check(key)).toEqual(REFUSED);
  });

  test('an empty pepper is refused at start', () => {
    expect(() => createKeys({ documents: stage.documents, pepper: '', clock: stage.clock })).toThrow(
      UsageError,
    );
  });

  test('a pointer to an account that does not list the key opens nothing', async () => {
    const { key } = await stage.created('acme');
    await stage.created('another');
    for await (const batch of stage.documents.scan<object>('accounts')) {
      await stage.documents.remove(
        'accounts',
        batch.map(({ id, version }) => ({ id, read: version })),
      );
    }
    expect(await stage.instance(stage.documents).check(key)).toEqual(REFUSED);
  });

  test('known keys cost no read: one look a second at what has changed, for all of them', async () => {
    const keys = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (await stage.created(`account-${index}`)).key),
    );
    const checkAll = (): Promise<unknown> =>
      Promise.all([...keys, ...keys].map(async (key) => await stage.keys.check(key)));
    await checkAll();
    // In its first minute an instance may have missed a notice.
    stage.clock.advance(61_000);
    await checkAll();
    const { get, find = 0 } = stage.faults.calls;
    stage.clock.advance(499);
    await checkAll();
    expect(stage.faults.calls).toMatchObject({ get, find });
    stage.clock.advance(501);
    await checkAll();
    expect(stage.faults.calls).toMatchObject({ get, find: find + 1 });
  });

  test('where there are too many to remember, the key that was read longest ago is read again', async () => {
    const few = createKeys({ documents: stage.documents, pepper: PEPPER, clock: stage.clock, remembered: 2 });
    const [first, second, third] = [await stage.created(), await stage.created(), await stage.created()];
    const readsOf = async (...keys: (typeof first)[]): Promise<number> => {
      const before = stage.faults.calls['get'] ?? 0;
      for (const { key } of keys) expect((await few.check(key)).outcome).toBe('active');
      return (stage.faults.calls['get'] ?? 0) - before;
    };
    // Of a key that is not remembered, its pointer and its account.
    expect(await readsOf(first, second)).toBe(4);
    expect(await readsOf(first, second)).toBe(0);
    expect(await readsOf(third)).toBe(2);
    expect(await readsOf(second, third)).toBe(0);
    expect(await readsOf(first)).toBe(2);
  });

  test('a key is read again after half an hour, whatever the looks have found', async () => {
    const { key } = await known();
    stage.clock.advance(61_000);
    await stage.keys.check(key);
    const { get = 0 } = stage.faults.calls;
    for (let minutes = 0; minutes < 29; minutes += 1) {
      stage.clock.advance(60_000);
      await stage.keys.check(key);
    }
    expect(stage.faults.calls).toMatchObject({ get });
    stage.clock.advance(60_000);
    await stage.keys.check(key);
    expect(stage.faults.calls).toMatchObject({ get: get + 1 });
  });

  test('a key that ends long after its notice is refused within a second of its end', async () => {
    const elsewhere = stage.instance();
    const { key, id } = await known(elsewhere);
    await revoke(id, async () => {
      // Between the notice and the account: the store takes its time, and others have heard the notice.
      for (let seconds = 0; seconds < 20; seconds += 1) {
        stage.clock.advance(1000);
        expect((await elsewhere.check(key)).outcome).toBe('active');
      }
    });
    await expectRefusedSoon(elsewhere, key);
  });

  test('a key that ends while an instance begins is refused there within a second, too', async () => {
    const { key, id } = await stage.created();
    const begun = stage.instance();
    await revoke(id, async () => {
      // It does not hear the notice, which is there already, and reads the account as it was.
      expect((await begun.check(key)).outcome).toBe('active');
    });
    await expectRefusedSoon(begun, key);
  });

  test('a key that ends later than others look for it has a second notice', async () => {
    const elsewhere = stage.instance();
    const { key, id } = await known(elsewhere);
    await revoke(id, async () => {
      stage.clock.advance(1000);
      await elsewhere.check(key);
      stage.clock.advance(70_000);
      expect((await elsewhere.check(key)).outcome).toBe('active');
    });
    await expectRefusedSoon(elsewhere, key);
  });

  test('a revocation that was cut off behind its notice, and is made again, holds everywhere', async () => {
    const elsewhere = stage.instance();
    const { key, id } = await known(elsewhere);
    stage.faults.spared = [];
    stage.faults.answersToLose = 3;
    await expect(stage.keys.revoke('acme', id)).rejects.toThrow(RetryableError);
    stage.clock.advance(2 * 60_000);
    await elsewhere.check(key);
    await stage.keys.revoke('acme', id);
    await expectRefusedSoon(elsewhere, key);
  });

  test('a revocation elsewhere is effective within a second, although the key is in use all the time', async () => {
    const { key, id } = await known();
    await stage.instance().revoke('acme', id);
    for (let passed = 0; passed < 1000; passed += 100) {
      await stage.keys.check(key);
      await turn();
      stage.clock.advance(100);
    }
    stage.clock.advance(1);
    expect(await stage.keys.check(key)).toEqual(REFUSED);
  });
});

describe('with the store down', () => {
  test('a known key works for 60 s from its last confirmation, and then fails as retryable', async () => {
    const { key } = await known();
    stage.faults.down = true;
    for (let passed = 0; passed < 60; passed += 5) {
      stage.clock.advance(4999);
      expect((await stage.keys.check(key)).outcome).toBe('active');
    }
    stage.clock.advance(12);
    await expect(stage.keys.check(key)).rejects.toThrow(RetryableError);
  });

  test('when it is back, a key that was revoked meanwhile is refused within a second', async () => {
    const { key, id } = await known();
    stage.faults.down = true;
    stage.clock.advance(30_000);
    expect((await stage.keys.check(key)).outcome).toBe('active');
    await stage.instance().revoke('acme', id);
    stage.faults.down = false;
    stage.clock.advance(1000);
    // This request starts the read and does not wait for it.
    await stage.keys.check(key);
    await expect.poll(async () => await stage.keys.check(key)).toEqual(REFUSED);
  });

  test('a store that does not answer holds a known key up for 900 ms once, and not again', async () => {
    const { key } = await known();
    const hang = Promise.withResolvers<void>();
    stage.faults.hang = hang.promise;
    stage.clock.advance(1001);
    const waiting = stage.keys.check(key);
    await turn();
    stage.clock.advance(900);
    expect((await waiting).outcome).toBe('active');
    stage.clock.advance(5000);
    expect((await stage.keys.check(key)).outcome).toBe('active');
    hang.resolve();
  });

  test('the outage is said once for all keys when it begins, and once when it is over', async () => {
    const { logger, said } = captureLog();
    const keys = stage.instance(stage.documents, logger);
    const [first, second] = [await stage.created(), await stage.created()];
    const both = async (): Promise<void> => {
      for (const { key } of [first, second]) expect((await keys.check(key)).outcome).toBe('active');
      await turn();
    };
    await both();
    stage.faults.down = true;
    for (let passed = 0; passed < 5; passed += 1) {
      stage.clock.advance(1001);
      await both();
    }
    stage.faults.down = false;
    stage.clock.advance(1001);
    await both();
    await expect
      .poll(said)
      .toEqual(['warn: known keys work from their last good copies', 'info: keys are confirmed again']);
  });
});

const HOUR = 3_600_000;

describe('where the wall clock jumps', () => {
  test('back, a key that was revoked meanwhile is not confirmed again when the old time returns', async () => {
    const { key, id } = await known();
    stage.clock.time -= HOUR;
    await stage.instance().revoke('acme', id);
    stage.clock.advance(HOUR + 300);
    expect(await stage.keys.check(key)).toEqual(REFUSED);
  });

  test.each([HOUR, -HOUR])('by %i ms, a confirmation is as old as it was', async (by) => {
    const { key } = await known();
    const reads = stage.faults.calls['get'];
    stage.clock.time += by;
    expect((await stage.keys.check(key)).outcome).toBe('active');
    expect(stage.faults.calls['get']).toBe(reads);
    stage.faults.down = true;
    stage.clock.advance(59_000);
    stage.clock.time -= 2 * by;
    expect((await stage.keys.check(key)).outcome).toBe('active');
    stage.clock.advance(1001);
    await expect(stage.keys.check(key)).rejects.toThrow(RetryableError);
  });

  test.each([HOUR, -HOUR])('by %i ms while the store is down, a rotated key ends on time', async (by) => {
    const { key, id } = await stage.created();
    await stage.keys.rotate('acme', id, { overlapMs: 30_000 });
    await stage.keys.check(key);
    stage.faults.down = true;
    stage.clock.time += by;
    stage.clock.advance(29_999);
    expect((await stage.keys.check(key)).outcome).toBe('active');
    stage.clock.advance(1);
    expect(await stage.keys.check(key)).toEqual(REFUSED);
  });
});
