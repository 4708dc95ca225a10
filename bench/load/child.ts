import { Agent, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Measured, Request, Run, Setup } from './messages.ts';

/** A process that does nothing but send requests and measure answers, so that it disturbs no other measurement. */

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
let setup: Setup = { kind: 'setup', port: 0, requests: [] };

process.on('message', (message: Setup | Run) => {
  if (message.kind === 'setup') setup = message;
  else void run(message).then((measured) => process.send?.(measured));
});
process.on('disconnect', () => process.exit(0));

async function run({ from, durationMs, load }: Run): Promise<Measured> {
  const indexes: number[] = [];
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const started = performance.now();
  const end = started + durationMs;
  let next = from;
  const sendNext = async (): Promise<void> => {
    const index = next++ % setup.requests.length;
    const sentAt = performance.now();
    const status = await ask(setup.requests[index] as Request);
    indexes.push(index);
    latencies.push(performance.now() - sentAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  if ('atOnce' in load) {
    const one = async (): Promise<void> => {
      while (performance.now() < end) await sendNext();
    };
    await Promise.all(Array.from({ length: load.atOnce }, one));
  } else {
    const underWay: Promise<void>[] = [];
    for (let sent = 0; performance.now() < end;) {
      const due = Math.floor(((performance.now() - started) / 1000) * load.perSecond);
      for (; sent < due; sent += 1) underWay.push(sendNext());
      await sleep(1);
    }
    await Promise.all(underWay);
  }
  return { indexes: Uint32Array.from(indexes), latencies: Float64Array.from(latencies), statuses };
}

function ask({ path, key }: Request): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key };
    const request = send({ agent, host: '127.0.0.1', port: setup.port, path, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end();
  });
}
