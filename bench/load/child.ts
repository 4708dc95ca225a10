import { setTimeout as sleep } from 'node:timers/promises';

import { answerParent } from '../child-process.ts';
import { type Connection, openConnection } from './connection.ts';
import type { Measured, Request, Run, Setup } from './messages.ts';

/** A process that does nothing but send requests and measure answers, so that it disturbs no other measurement. */

/** In an open loop more are opened than in a closed one: what is due is not to wait for what is slow. */
const CONNECTIONS = 256;
/** Well under the time that a server keeps one without a request. */
const IDLE_MS = 3000;

let port = 0;
let requests: readonly Buffer[] = [];

answerParent(async (message: Setup | Run) => {
  if (message.kind === 'run') return await run(message);
  ({ port } = message);
  requests = message.requests.map(bytesOf);
  return 'ready';
});

async function run({ from, durationMs, load }: Run): Promise<Measured> {
  const indexes: number[] = [];
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const due: number[] = [];
  const ended = Promise.withResolvers<void>();
  const idle: Connection[] = [];
  const connections = new Set<Connection>();
  const started = performance.now();
  const end = started + durationMs;
  let next = from;
  let underWay = 0;

  // The one that was used last; those that the server has closed meanwhile, or may be about to close, are given up.
  const connection = (): Connection => {
    for (let kept = idle.pop(); kept; kept = idle.pop()) {
      if (kept.isOpen() && kept.idleMs() < IDLE_MS) return kept;
      kept.close();
      connections.delete(kept);
    }
    const opened = openConnection(port);
    connections.add(opened);
    return opened;
  };

  const send = (on: Connection, since: number): void => {
    const index = next++ % requests.length;
    underWay += 1;
    on.ask(requests[index] ?? Buffer.alloc(0), (status) => {
      if (status === 0) throw new Error('a connection was closed under its request');
      underWay -= 1;
      const now = performance.now();
      indexes.push(index);
      latencies.push(now - since);
      statuses[status] = (statuses[status] ?? 0) + 1;
      const waiting = due.shift();
      if (waiting !== undefined) send(on, waiting);
      else if ('atOnce' in load && now < end) send(on, now);
      else {
        idle.push(on);
        if (underWay === 0 && now >= end) ended.resolve();
      }
    });
  };

  if ('atOnce' in load) {
    for (let sent = 0; sent < load.atOnce; sent += 1) send(connection(), started);
    await ended.promise;
  } else {
    for (let sent = 0; performance.now() < end;) {
      const until = Math.floor(((performance.now() - started) / 1000) * load.perSecond);
      for (; sent < until; sent += 1) {
        const since = performance.now();
        if (idle.length > 0 || connections.size < CONNECTIONS) send(connection(), since);
        else due.push(since);
      }
      await sleep(1);
    }
    if (underWay > 0) await ended.promise;
  }
  const tookMs = performance.now() - started;
  for (const opened of connections) opened.close();
  return { indexes: Uint32Array.from(indexes), latencies: Float64Array.from(latencies), statuses, tookMs };
}

function bytesOf({ path, headers }: Request): Buffer {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
