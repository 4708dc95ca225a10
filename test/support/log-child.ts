import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { onTestFinished } from 'vitest';

import type { LogOpener, Order, Report } from './log-process.ts';

/** Another process with a client on the same log. */
export interface LogChild {
  /** `TOPIC/PARTITION` of everything it holds, by its own account. */
  readonly held: ReadonlySet<string>;
  /** Everything it has lost so far. */
  readonly lost: readonly string[];
  /** How many records its `append` has had acknowledged. */
  readonly appended: () => number;
  /** Opens another log instead. */
  open(opener: LogOpener): Promise<void>;
  subscribe(group: string, topics: readonly string[]): Promise<void>;
  append(topic: string, key: string, batches: number, size: number): Promise<void>;
  /** Resolves once the process is gone, where the signal ends it. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
}

/** Starts the process and opens the log in it. It is killed when the test has finished. */
export async function startLogChild(opener: LogOpener): Promise<LogChild> {
  const child = fork(new URL('log-process.ts', import.meta.url), [], { execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const held = new Set<string>();
  const lost: string[] = [];
  let appended = 0;
  child.on('message', (report: Report) => {
    if ('assigned' in report) held.add(report.assigned);
    if ('appended' in report) appended = report.appended;
    if ('revoked' in report) {
      held.delete(report.revoked);
      lost.push(report.revoked);
    }
  });
  await carryOut(child, { do: 'open', opener });
  return {
    held,
    lost,
    appended: () => appended,
    open: (another) => carryOut(child, { do: 'open', opener: another }),
    subscribe: (group, topics) => carryOut(child, { do: 'subscribe', group, topics }),
    append: (topic, key, batches, size) => carryOut(child, { do: 'append', topic, key, batches, size }),
    signal: async (signal) => {
      const exited = signal === 'SIGKILL' ? once(child, 'exit') : undefined;
      child.kill(signal);
      await exited;
    },
  };
}

/** Sends an order and waits until it is done. Rejects where the process ends before that. */
function carryOut(child: ChildProcess, order: Order): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      child.off('message', heard);
      child.off('exit', ended);
      outcome();
    };
    const heard = (report: Report): void => {
      if ('done' in report && report.done === order.do) settle(resolve);
    };
    const ended = (): void =>
      settle(() => reject(new Error(`The process ended before it could ${order.do}`)));
    child.on('message', heard);
    child.on('exit', ended);
    child.send(order);
  });
}
