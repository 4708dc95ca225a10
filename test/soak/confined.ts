import { spawn, type ChildProcess } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A command of the project in a process of its own, with as much memory as docker-compose.yml gives it. */
export interface Confined extends AsyncDisposable {
  readonly pid: number;
  /** `cgroup`: beyond the limit the kernel ends it. `heap`: only its heap is limited, and what it takes is watched. */
  readonly by: 'cgroup' | 'heap';
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
const GROUPS = '/sys/fs/cgroup';

export function startConfined({ command, env, cwd, bytes }: ConfinedOptions): Confined {
  const group = makeGroup(`catalog-soak-${process.pid}-${command}`, bytes);
  const file = join(cwd, `${command}.log`);
  const log = openSync(file, 'w');
  // It joins the group before it becomes Node, which asks for its limits once, at the start.
  const joining = group ? `echo $$ > ${group}/cgroup.procs && ` : '';
  // What Node takes by itself where it sees that limit: half of it.
  const heap = group ? [] : [`--max-old-space-size=${Math.floor(bytes / 2 ** 21)}`];
  const script = `${joining}exec "$0" "$@"`;
  const child = spawn('sh', ['-c', script, process.execPath, ...heap, MAIN, command], {
    // As the image has it.
    env: { ...env, MALLOC_ARENA_MAX: '2' },
    cwd,
    stdio: ['ignore', log, log],
  });
  return {
    pid: child.pid ?? 0,
    by: group ? 'cgroup' : 'heap',
    ended: () => {
      const end = endOf(child);
      return end === null
        ? null
        : `${command} ended (${end}): ${readFileSync(file, 'utf8').slice(-LAST_WORDS)}`;
    },
    [Symbol.asyncDispose]: async () => {
      if (endOf(child) === null) {
        const closed = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGTERM');
        await closed;
      }
      // The kernel lets go of the last process a moment after its parent has heard of its end.
      for (let attempt = 0; group && attempt < 20; attempt += 1) {
        try {
          rmdirSync(group);
          return;
        } catch {
          await sleep(50);
        }
      }
    },
  };
}

function endOf({ exitCode, signalCode }: ChildProcess): string | null {
  return signalCode ?? (exitCode === null ? null : `exit code ${exitCode}`);
}

/** A control group with that limit, of either version; null where this user may not make one. */
function makeGroup(name: string, bytes: number): string | null {
  const isSecond = existsSync(join(GROUPS, 'cgroup.controllers'));
  const group = join(GROUPS, isSecond ? '' : 'memory', name);
  try {
    mkdirSync(group);
    writeFileSync(join(group, isSecond ? 'memory.max' : 'memory.limit_in_bytes'), String(bytes));
    accessSync(join(group, 'cgroup.procs'), constants.W_OK);
    return group;
  } catch {
    return null;
  }
}
