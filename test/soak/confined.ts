import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A command of the project in a process of its own, whose heap is what Node takes in a container of so much memory. */
export interface Confined extends AsyncDisposable {
  readonly pid: number;
  /** Whether it has ended, how, and its last words; null while it runs. */
  ended(): string | null;
}

export interface ConfinedOptions {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly bytes: number;
}

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const LAST_WORDS = 2000;

export function startConfined({ command, env, cwd, bytes }: ConfinedOptions): Confined {
  const file = join(cwd, `${command}.log`);
  const log = openSync(file, 'w');
  // Half of the memory, as Node has it where it sees that limit; as much again is for what is outside.
  const heap = `--max-old-space-size=${Math.floor(bytes / 2 ** 21)}`;
  const child = spawn(process.execPath, [heap, MAIN, command], {
    // As the image has it.
    env: { ...env, MALLOC_ARENA_MAX: '2' },
    cwd,
    stdio: ['ignore', log, log],
  });
  return {
    pid: child.pid ?? 0,
    ended: () => {
      const end = endOf(child);
      return end === null
        ? null
        : `${command} ended (${end}): ${readFileSync(file, 'utf8').slice(-LAST_WORDS)}`;
    },
    [Symbol.asyncDispose]: async () => {
      if (endOf(child) !== null) return;
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function endOf({ exitCode, signalCode }: ChildProcess): string | null {
  return signalCode ?? (exitCode === null ? null : `exit code ${exitCode}`);
}
