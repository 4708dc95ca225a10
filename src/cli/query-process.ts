import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { messageOf } from '../platform/errors.ts';
import { makeTemporaryFolder } from '../platform/files/temporary-folder.ts';
import type { ExitCode } from './command.ts';
import { note, printFailure } from './output.ts';

/**
 * Runs a query in a process of its own: DuckDB computes one function of one row without looking up, however long that takes, and
 * no thread can be ended from outside. A process can: when it takes too much memory, and at the second Ctrl-C. Its temporary
 * files go with it; what an earlier one left is swept first.
 */
export async function runQueryProcess(args: readonly string[]): Promise<ExitCode | 130> {
  let folder: string;
  try {
    // First, because it makes room.
    sweep(tmpdir());
    folder = makeTemporaryFolder(`catalog-sql-${process.pid}-`);
  } catch (thrown) {
    note(`catalog: SQL: ${messageOf(thrown)}`);
    if (args.includes('--json')) printFailure('failed');
    return 1;
  }
  // In a group of its own, so that Ctrl-C reaches it from here alone, and is counted here.
  const child = fork(join(import.meta.dirname, 'query-child.ts'), args, {
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    detached: process.platform !== 'win32',
  });
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  let outcome: ExitCode | 130 | null = null;
  const kill = (code: ExitCode | 130): void => {
    outcome ??= code;
    child.kill('SIGKILL');
  };
  child.on('message', () => {
    if (outcome !== null) return;
    note('catalog: SQL: this takes more than 1.5 GB of memory, and was ended. Ask for less at once.');
    kill(1);
  });
  const stop = (name: NodeJS.Signals): void => {
    // `killed`: it was told to stop before.
    if (child.killed) return kill(130);
    child.kill(name);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const [code] = await ended;
    if (outcome === null && code === null)
      note('catalog: SQL: its process was ended from outside: memory may have been short.');
    if ((outcome ?? code) === null || outcome === 1) {
      if (args.includes('--json')) printFailure('failed');
      return 1;
    }
    return outcome ?? (code as ExitCode);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of processes that are gone. */
function sweep(folder: string): void {
  for (const name of namesIn(folder)) {
    const [, pid] = /^catalog-sql-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // That of another user, who sweeps it.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Whoever makes one there is told why it cannot be.
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
