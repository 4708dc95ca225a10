import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { PermanentError } from '../../../src/platform/errors.ts';
import { listenOn } from '../../../src/platform/http-server.ts';
import { runApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';

test('a stop answers what is in hand, closes idle connections, and takes nothing new', async () => {
  const api = await runApi({}, published());
  await api.get('/top');
  const inHand = Promise.all(Array.from({ length: 20 }, () => api.get('/top')));
  await expect.poll(() => api.documents.calls.length).toBeGreaterThan(0);
  const answers = await inHand;
  await api[Symbol.asyncDispose]();
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  await expect(fetch(`${api.url}/openapi.json`)).rejects.toThrow('fetch failed');
});

test('a request that is under way when the stop begins is answered, and its idle connection does not hold the stop', async () => {
  let arrived = (): void => undefined;
  const started = new Promise<void>((resolve) => (arrived = resolve));
  let answer = (): void => undefined;
  const server = createServer({ keepAliveTimeout: 600_000 }, (_request, response) => {
    answer = () => response.end(`${'x'.repeat(8_000_000)}done`);
    arrived();
  });
  const drainMs = 600_000;
  const listening = await listenOn(server, { port: 0, host: '127.0.0.1', variable: 'PORT', drainMs });
  const socket = connect(listening.port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await started;
  const stopped = listening[Symbol.asyncDispose]();
  answer();
  // It is in no hurry to read.
  await setTimeout(100);
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  await stopped;
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  expect(Buffer.concat(received).toString()).toMatch(/xdone$/);
});

test('a request that takes too long to end is cut, so that the stop ends', async () => {
  const server = createServer(() => undefined);
  const listening = await listenOn(server, { port: 0, host: '127.0.0.1', variable: 'PORT', drainMs: 20 });
  const asked = fetch(listening.url);
  await expect.poll(() => connections(server)).toBe(1);
  await listening[Symbol.asyncDispose]();
  await expect(asked).rejects.toThrow('fetch failed');
});

test('a busy port is said in one line, with the way out', async () => {
  await using first = await listenOn(createServer(), { port: 0, host: '127.0.0.1', variable: 'PORT' });
  const second = listenOn(createServer(), { port: first.port, host: '127.0.0.1', variable: 'ADMIN_PORT' });
  await expect(second).rejects.toThrow(
    new PermanentError(
      `Port ${first.port} is in use. Stop the other process or set ADMIN_PORT to another one.`,
    ),
  );
});

function connections(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
