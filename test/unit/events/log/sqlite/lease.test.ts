import { spawnSync } from 'node:child_process';

import { beforeEach, describe, expect, test } from 'vitest';

import { openLogFile } from '../../../../../src/events/log/sqlite/file.ts';
import { type Leases, leasesIn } from '../../../../../src/events/log/sqlite/lease.ts';
import { type Member, newMember } from '../../../../../src/events/log/sqlite/member.ts';
import { temporaryPath } from '../../../../support/temporary-path.ts';

const LEASE_MS = 5000;

describe('the lease of a group', () => {
  let leases: Leases;
  let holder: Member;
  let other: Member;
  const take = (member: Member, now: number, group = 'group'): boolean =>
    leases.take({ group, member }, now, LEASE_MS);

  beforeEach(() => {
    const { path, remove } = temporaryPath('log.db');
    const { database } = openLogFile(path, 0);
    leases = leasesIn(database);
    [holder, other] = [newMember(), newMember()];
    take(holder, 1000);
    return () => {
      database.close();
      remove();
    };
  });

  test('one member has it, and prolongs it as often as it likes', () => {
    expect(take(other, 2000)).toBe(false);
    expect(take(holder, 5000)).toBe(true);
    expect(take(other, 9999)).toBe(false);
  });

  test('it is free once it has run out, and its holder then learns that it was replaced', () => {
    expect(take(other, 6000)).toBe(true);
    expect(take(holder, 6001)).toBe(false);
  });

  test('a holder that is late keeps it, if nobody came', () => {
    expect(take(holder, 60_000)).toBe(true);
  });

  test('it is free once it was released, which only its holder can do', () => {
    leases.release({ group: 'group', member: other });
    expect(take(other, 2000)).toBe(false);
    leases.release({ group: 'group', member: holder });
    expect(take(other, 2000)).toBe(true);
  });

  test('each group has its own', () => {
    expect(take(other, 1000, 'another group')).toBe(true);
  });

  test('it is free at once where the process of its holder is gone', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(take({ ...other, pid }, 7000)).toBe(true);
    expect(take(holder, 7001)).toBe(true);
  });

  test('it is free at once where its holder had our pid in an earlier life', () => {
    const earlier = { ...other, started: other.started - 10_000 };
    expect(take(earlier, 7000)).toBe(true);
    expect(take(holder, 7001)).toBe(true);
  });

  test('a process of another host counts as alive until the lease runs out', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const elsewhere = { ...other, pid, host: 'another-host' };
    expect(take(elsewhere, 7000)).toBe(true);
    expect(take(holder, 7001)).toBe(false);
    expect(take(holder, 12_000)).toBe(true);
  });

  test('a clock that was set back leaves nobody waiting for hours', () => {
    expect(take(holder, 3_600_000)).toBe(true);
    expect(take(other, 1000)).toBe(true);
  });
});
