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

/** Takes the group's lease until `now + leaseMs`, or prolongs it. False where another live member has it. */
export function takeLease(
  database: DatabaseSync,
  group: string,
  member: Member,
  now: number,
  leaseMs: number,
): boolean {
  // Those who stand by only look: they take no lock while the holder lives.
  if (!isFree(readLease(database, group), member, now, leaseMs)) return false;
  return withoutSync(database, () => {
    if (!isFree(readLease(database, group), member, now, leaseMs)) return false;
    database.prepare(TAKE).run(group, member.id, member.host, member.pid, member.started, now + leaseMs);
    return true;
  });
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

/** Gives the lease up, where the member still has it. */
export function releaseLease(database: DatabaseSync, group: string, member: Member): void {
  database.prepare('DELETE FROM leases WHERE group_name = ? AND member = ?').run(group, member.id);
}

const TAKE = `INSERT OR REPLACE INTO leases (group_name, member, host, pid, started, expires) VALUES (?, ?, ?, ?, ?, ?)`;

interface Lease extends Member {
  readonly expires: number;
}

function readLease(database: DatabaseSync, group: string): Lease | undefined {
  const select = 'SELECT member AS id, host, pid, started, expires FROM leases WHERE group_name = ?';
  return database.prepare(select).get(group) as Lease | undefined;
}

function isFree(lease: Lease | undefined, member: Member, now: number, leaseMs: number): boolean {
  if (!lease || lease.id === member.id || lease.expires <= now) return true;
  // Further ahead than anybody takes it: the clock was set back.
  if (lease.expires > now + 2 * leaseMs) return true;
  return lease.host === member.host && !isRunning(lease, member);
}
