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
