import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** A member of a group, with what tells whether its process is still there. */
export interface Member {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** When the process started, in milliseconds since the machine did: the same pid may be another process by now. */
  readonly started: number;
}

export function newMember(): Member {
  const sinceBoot = Number(process.hrtime.bigint()) / 1e6;
  const started = Math.round(sinceBoot - process.uptime() * 1000);
  return { id: randomUUID(), host: hostname(), pid: process.pid, started };
}

/** Two readings of one process's start differ by less than this, in milliseconds. */
const SAME_START_MS = 500;

/** Whether a process on this host still runs. After a restart in a container its pid is often our own. */
export function isRunning(other: Member, member: Member): boolean {
  if (other.pid === member.pid) return Math.abs(other.started - member.started) < SAME_START_MS;
  try {
    process.kill(other.pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: it is there, and belongs to another user.
    return !(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH');
  }
}
