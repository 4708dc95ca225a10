import { type ChildProcess, fork, spawnSync, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** What is measured has one core and the load another one, so that it disturbs it as little as it can. */
export const MEASURED_CORE = 0;
export const LOAD_CORE = 1;

/** A process of its own, which is measured or which measures, and answers one message after the other. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** What it says next, in answer to the message where there is one. Rejects where it ends instead. */
  ask<Answer>(message?: Serializable): Promise<Answer>;
}

export interface ChildOptions {
  readonly arguments?: readonly string[];
  /** Default: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where its standard error goes: the access log. */
  readonly log?: string;
  /** The core that it is kept on, where the system has a way to. */
  readonly core?: number;
}

/** `file` is below this folder. */
export function startChild(file: string, options: ChildOptions = {}): Child {
  const log = options.log === undefined ? 'inherit' : openSync(options.log, 'a');
  const child = fork(join(import.meta.dirname, file), [...(options.arguments ?? [])], {
    env: options.env ?? process.env,
    execArgv: [],
    stdio: ['ignore', 'ignore', log, 'ipc'],
    serialization: 'advanced',
  });
  if (typeof log === 'number') closeSync(log);
  if (options.core !== undefined && process.platform === 'linux')
    spawnSync('taskset', ['-a', '-p', '-c', String(options.core), String(child.pid)]);
  return {
    pid: child.pid ?? 0,
    ask: async <Answer>(message?: Serializable) => {
      const answer = answerOf(child, file);
      if (message !== undefined) child.send(message);
      return (await answer) as Answer;
    },
    [Symbol.asyncDispose]: async () => {
      if (!child.connected || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function answerOf(child: ChildProcess, file: string): Promise<unknown> {
  const answer = Promise.withResolvers<unknown>();
  const onExit = (code: number | null): void =>
    answer.reject(new Error(`${file} ended with ${code} before it answered`));
  child.once('message', answer.resolve).once('exit', onExit);
  try {
    return await answer.promise;
  } finally {
    child.off('message', answer.resolve).off('exit', onExit);
  }
}

/** In such a process: answers what it is asked, until nobody asks any more. */
export function answerParent(answer: (message: never) => Promise<unknown>): void {
  process.on('message', (message) => void answer(message as never).then(tellParent));
  process.on('disconnect', () => process.exit(0));
}

export function tellParent(said: unknown): void {
  process.send?.(said);
}
