import { transact } from '../../../platform/sqlite-transactions.ts';
import type { DatabaseSync } from '../../../platform/sqlite.ts';
import { isRunning, type Member } from './member.ts';

/*
 * The lease of a group: one row that says which member has all of the group's partitions.
 *
 *   free --take--> held --take by the holder--> held, renewed
 *                   |  `--released by the holder--> free
 *                   `--expired, or its process is dead--> held by the member that takes it next
 *
 * A holder learns that it was replaced when its own next take is refused.
 */
export interface Leases {
  /**
   * Takes the lease until `now + leaseMs`, or prolongs it. False where another live member has it. Where it throws, it was
   * not taken.
   */
  take(asked: AskedLease, now: number, leaseMs: number): boolean;
  /** Gives the lease up, where the member still has it. */
  release(asked: AskedLease): void;
}

export interface AskedLease {
  readonly group: string;
  readonly member: Member;
}

export function leasesIn(database: DatabaseSync): Leases {
  const select = database.prepare(
    'SELECT member AS id, host, pid, started, expires FROM leases WHERE group_name = ?',
  );
  const put = database.prepare(
    'INSERT OR REPLACE INTO leases (group_name, member, host, pid, started, expires) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM leases WHERE group_name = ? AND member = ?');

  return {
    take(asked, now, leaseMs) {
      const { group, member } = asked;
      const mayTake = (): boolean => isFree(select.get(group) as Lease | undefined, member, now, leaseMs);
      // Those who stand by only look: they take no lock while the holder lives.
      if (!mayTake()) return false;
      return withoutSync(database, () => {
        if (!mayTake()) return false;
        const { id, host, pid, started } = member;
        put.run(group, id, host, pid, started, now + leaseMs);
        return true;
      });
    },

    release: ({ group, member }) => void remove.run(group, member.id),
  };
}

/**
 * A transaction that a power cut may take back: no process outlives that, and so no lease has to. What is appended
 * afterwards takes it along.
 */
function withoutSync<T>(database: DatabaseSync, work: () => T): T {
  database.exec('PRAGMA synchronous = NORMAL');
  try {
    return transact(database, work);
  } finally {
    database.exec('PRAGMA synchronous = FULL');
  }
}

interface Lease extends Member {
  readonly expires: number;
}

function isFree(lease: Lease | undefined, member: Member, now: number, leaseMs: number): boolean {
  if (!lease || lease.id === member.id || lease.expires <= now) return true;
  // Further ahead than anybody takes it: the clock was set back.
  if (lease.expires > now + 2 * leaseMs) return true;
  return lease.host === member.host && !isRunning(lease, member);
}
