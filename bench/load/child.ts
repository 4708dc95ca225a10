import { setTimeout as sleep } from 'node:timers/promises';

import { answerParent } from '../child-process.ts';
import { bytesOf, type Connection, openConnection } from './connection.ts';
import type { Measured, Run, Setup } from './messages.ts';

/** A process that does nothing but send requests and measure answers, so that it disturbs no other measurement. */

/** In an open loop more are opened than in a closed one: what is due is not to wait for what is slow. */
const CONNECTIONS = 256;

let port = 0;
let requests: readonly Buffer[] = [];
let order: Uint32Array = Uint32Array.of();

answerParent(async (message: Setup | Run) => {
  if (message.kind === 'run') return await run(message);
  ({ port } = message);
  requests = message.requests.map(bytesOf);
  order = message.order ?? Uint32Array.from(requests.keys());
  return 'ready';
});

async function run({ from, durationMs, load }: Run): Promise<Measured> {
  const indexes: number[] = [];
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const due: number[] = [];
  const ended = Promise.withResolvers<void>();
  /** Kept without a request; the one that was used last goes first. */
  const idle: Connection[] = [];
  const started = performance.now();
  const end = started + durationMs;
  let next = from;
  let underWay = 0;

  /** As clients of HTTP do: a server may close what it keeps at the moment of a request, which goes over another one then. */
  const ask = (request: Buffer, onStatus: (status: number) => void): void => {
    const kept = idle.pop();
    if (kept?.isOpen() === false) return ask(request, onStatus);
    const connection = kept ?? openConnection(port);
    connection.ask(request, (status, head) => {
      if (status === 0 && head === '' && kept) return ask(request, onStatus);
      idle.push(connection);
      onStatus(status);
    });
  };

  const send = (since: number): void => {
    const index = next++ % order.length;
    underWay += 1;
    ask(requests[order[index] ?? 0] ?? Buffer.alloc(0), (status) => {
      underWay -= 1;
      const now = performance.now();
      indexes.push(index);
      latencies.push(now - since);
      statuses[status] = (statuses[status] ?? 0) + 1;
      const waiting = due.shift();
      if (waiting !== undefined) send(waiting);
      else if ('atOnce' in load && now < end) send(now);
      else if (underWay === 0 && now >= end) ended.resolve();
    });
  };

  if ('atOnce' in load) {
    for (let sent = 0; sent < load.atOnce; sent += 1) send(started);
    await ended.promise;
  } else {
    for (let sent = 0; performance.now() < end;) {
      const until = Math.floor(((performance.now() - started) / 1000) * load.perSecond);
      for (; sent < until; sent += 1) {
        const since = performance.now();
        if (underWay < CONNECTIONS) send(since);
        else due.push(since);
      }
      await sleep(1);
    }
    if (underWay > 0) await ended.promise;
  }
  const tookMs = performance.now() - started;
  for (const connection of idle) connection.close();
  return { indexes: Uint32Array.from(indexes), latencies: Float64Array.from(latencies), statuses, tookMs };
}
