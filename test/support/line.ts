import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';

/** One connection, over which requests go whole or in pieces; each is answered before the next one. */
export class Line implements Disposable {
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
  async ask(...pieces: readonly string[]): Promise<string> {
    this.#received = '';
    for (const piece of pieces) {
      this.#socket.write(piece, 'latin1');
      // The server is in this thread: it has read the piece when it has had its turns.
      if (pieces.length > 1) await turns();
    }
    const isHead = pieces[0]?.startsWith('HEAD ') === true;
    const ended = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.#isWhole(isHead) || this.#socket.closed) ended.resolve();
    };
    this.#socket.on('data', look).on('close', look);
    look();
    await ended.promise;
    this.#socket.off('data', look).off('close', look);
    return this.#received;
  }

  #isWhole(isHead: boolean): boolean {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return false;
    const head = this.#received.slice(0, end);
    const hasBody = !isHead && !/^HTTP\/1\.1 [23]04/.test(head);
    const length = hasBody ? Number(/\r\nContent-Length: (\d+)/.exec(head)?.[1] ?? 0) : 0;
    return this.#received.length >= end + 4 + length;
  }

  /** Sends, and waits for nothing. */
  send(bytes: string): void {
    this.#socket.write(bytes, 'latin1');
  }

  /** What came since the last question, as soon as there are so many answers, or the connection has ended. */
  async answers(count: number): Promise<string> {
    const socket = this.#socket;
    while ((this.#received.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0) < count && !socket.closed) {
      await new Promise((resolve) => setImmediate(resolve));
    }
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
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Answers without the id, the second, and how much of the day is left: what differs between two requests on the same way. */
export function steady(answer: string): string {
  // A refusal for the rest of the day tells its seconds twice.
  const untilMidnight = [...answer.matchAll(/\r\nRetry-After: (\d{2,})\r/g)].map(
    ([, seconds = '']) => seconds,
  );
  return untilMidnight
    .reduce((text, seconds) => text.replaceAll(` ${seconds}`, ' (left)'), answer)
    .replace(/\r\nX-Request-Id: [0-9a-f-]{36}\r/g, '\r\nX-Request-Id: (fresh)\r')
    .replace(/\r\nDate: [^\r]+/g, '\r\nDate: (now)')
    .replace(/Remaining: \d{6}\r/g, 'Remaining: (left)\r')
    .replace(/r=\d{6};t=/g, 'r=(left);t=')
    .replace(/;t=\d+\r/g, ';t=(left)\r');
}

/** Requests that Node has read so far: those at the socket are not among them. */
export async function countingReads<T>(
  work: () => Promise<T>,
): Promise<{ readonly made: T; readonly byNode: number }> {
  let byNode = 0;
  const count = (): void => void (byNode += 1);
  subscribe('http.server.request.start', count);
  try {
    return { made: await work(), byNode };
  } finally {
    unsubscribe('http.server.request.start', count);
  }
}
