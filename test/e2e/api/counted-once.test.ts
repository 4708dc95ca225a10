import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { runApi, type RunningApi, type RunOptions } from '../../support/api.ts';
import { published } from '../../support/events.ts';

/** Where a day has no more than this, nothing of it is ever held, and each request waits until it was counted. */
const FEW = 45;

const bytesOf = (key: string, slug = 'ai-news'): string =>
  `GET /api/v1/listings/${slug} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`;
const UNKNOWN = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n';

async function run(options: RunOptions = {}) {
  const api = await runApi({ dailyLimit: FEW, ...options });
  await api.project(published(), published({ subject: 'short', username: 'short_one' }));
  const line = new Line(api.port);
  const bytes = bytesOf(api.key);
  for (let time = 0; time < 2; time += 1) await line.ask(bytes);
  return { api, line, bytes };
}

describe('a request that waits until it is counted', () => {
  test('holds back what follows it on its connection, and nothing on another one', async () => {
    const { api, line, bytes } = await run();
    await using _ = api;
    using other = new Line(api.port);
    await line.ask(bytes);
    const letGo = holdQuotaWrites(api);
    line.send(bytes);
    await turns();
    // Needs no store, so that nothing but its turn keeps it back.
    line.send(UNKNOWN);
    line.send(bytesOf(api.key, 'short'));
    await turns();
    expect(statusesOf(line.received)).toEqual([200]);
    expect(statusesOf(await other.ask(UNKNOWN))).toEqual([404]);
    letGo();
    expect(statusesOf(await line.answers(4))).toEqual([200, 200, 404, 200]);
  });

  test('is told 503 where the store is too slow; what is counted after that is given back', async () => {
    const { api, line, bytes } = await run({ storeLimitMs: 300 });
    await using _ = api;
    await line.ask(bytes);
    const letGo = holdQuotaWrites(api);
    expect(statusesOf(await line.ask(bytes))).toEqual([503]);
    letGo();
    await expect
      .poll(async () => leftOf(await line.ask(bytes)) + linesWith(api.log, '"status":200,"cost":1').length)
      .toBe(FEW);
  });

  test('is answered where the server stops meanwhile', async () => {
    const { api, line, bytes } = await run();
    await line.ask(bytes);
    const letGo = holdQuotaWrites(api);
    line.send(bytes);
    await turns();
    const stopped = api[Symbol.asyncDispose]();
    await turns();
    letGo();
    expect(statusesOf(await line.answers(2))).toEqual([200, 200]);
    await stopped;
  });

  test('is answered where its caller has ended its own side', async () => {
    const { api, line, bytes } = await run();
    await using _ = api;
    await line.ask(bytes);
    const letGo = holdQuotaWrites(api);
    line.send(bytes);
    line.end();
    await turns();
    letGo();
    expect(statusesOf(await line.answers(2))).toEqual([200, 200]);
  });

  const step = fc.constantFrom('ask', 'two at once', 'aged', 'gone', 'down', 'free');

  test('is counted as often as it is told to have cost something, whatever becomes of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
        const { api, line: first, bytes } = await run();
        await using _ = api;
        let line = first;
        const tag = /\r\nETag: ([^\r]+)/.exec(await line.ask(bytes))?.[1] ?? '';
        for (const each of steps) {
          if (each === 'down') api.documents.failCollections = ['quota'];
          if (each === 'aged' || each === 'gone') {
            const letGo = holdQuotaWrites(api);
            line.send(bytes);
            await turns();
            if (each === 'gone') line.reset();
            else api.clock.movedMs += 150;
            await turns();
            letGo();
            line = new Line(api.port);
          } else if (each === 'two at once') {
            using other = new Line(api.port);
            await Promise.all([line.ask(bytes), other.ask(bytes)]);
          } else if (each === 'free') await line.ask(bytes.replace(/\r\n$/, `If-None-Match: ${tag}\r\n\r\n`));
          else await line.ask(bytes);
          api.documents.failCollections = [];
        }
        // What had failed while it was written is seen to by the next one.
        await line.ask(bytes);
        const id = `${new Date(api.clock.now()).toISOString().slice(0, 10)}/tests/1`;
        const counted = async (): Promise<number> => {
          const found = await api.documents.get<{ shares: Record<string, number> }>('quota', [id]);
          return Object.values(found.get(id)?.body.shares ?? {}).reduce((sum, one) => sum + one, 0);
        };
        await expect.poll(async () => (await counted()) - linesWith(api.log, '"cost":1').length).toBe(0);
        expect(await counted()).toBeLessThanOrEqual(FEW);
      }),
      { numRuns: 6 },
    );
  });
});

/** Makes the quota's writes wait, until the function that it returns is called. */
function holdQuotaWrites({ documents }: Pick<RunningApi, 'documents'>): () => void {
  const write = documents.write.bind(documents);
  const gate = Promise.withResolvers<void>();
  const held: typeof write = async (collection, writes) => {
    if (collection === 'quota') await gate.promise;
    return await write(collection, writes);
  };
  Object.assign(documents, { write: held });
  return () => {
    gate.resolve();
    Object.assign(documents, { write });
  };
}

function statusesOf(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Of the day. */
function leftOf(answer: string): number {
  return Number(/\r\nX-RateLimit-Remaining: (\d+)/.exec(answer)?.[1]);
}

/** The lines of requests that hold this text. */
function linesWith(log: readonly string[], text: string): readonly string[] {
  return log.filter((line) => line.includes('"msg":"request"') && line.includes(text));
}

/** One connection. */
class Line implements Disposable {
  readonly #socket: Socket;
  #received = '';

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (bytes: Buffer) => (this.#received += bytes.toString('latin1')));
  }

  /** Since the last question. */
  get received(): string {
    return this.#received;
  }

  /** What came back, up to the end of the answer or of the connection. */
  async ask(bytes: string): Promise<string> {
    this.#received = '';
    this.send(bytes);
    while (!this.#isWhole() && !this.#socket.closed) await turn();
    return this.#received;
  }

  #isWhole(): boolean {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return false;
    const head = this.#received.slice(0, end);
    const length = head.startsWith('HTTP/1.1 304')
      ? 0
      : Number(/\r\nContent-Length: (\d+)/.exec(head)?.[1] ?? 0);
    return this.#received.length >= end + 4 + length;
  }

  /** Sends, and waits for nothing. */
  send(bytes: string): void {
    this.#socket.write(bytes, 'latin1');
  }

  /** What came since the last question, as soon as there are so many answers, or the connection has ended. */
  async answers(count: number): Promise<string> {
    while (statusesOf(this.#received).length < count && !this.#socket.closed) await turn();
    return this.#received;
  }

  /** Ends its own side. */
  end(): void {
    this.#socket.end();
  }

  /** Breaks the connection off. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** Lets what is under way in this thread go on. */
async function turns(): Promise<void> {
  for (let count = 0; count < 6; count += 1) await turn();
}
