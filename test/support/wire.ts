import { connect } from 'node:net';

/** HTTP byte by byte, for requests that no client would send and answers that no client may tidy up. */

/** One answer as it came. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Names as they were sent, in their order, repetitions included. */
  readonly names: readonly string[];
  readonly body: string;
  /** What follows it. */
  readonly rest: string;
}

/** Sends bytes and returns everything that came back until the server closed the connection. */
export function exchange(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  return converse(port, { chunks, endsAfter: false });
}

/** The same for a client that ends its side as soon as it has sent all. */
export function exchangeHalfOpen(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  return converse(port, { chunks, endsAfter: true });
}

/** The same for a client that sends something more with each part of the answer. */
export function exchangeInsisting(port: number, bytes: string, more: string): Promise<string> {
  return converse(port, { chunks: [bytes], endsAfter: false, more });
}

interface Conversation {
  readonly chunks: readonly (string | Buffer)[];
  readonly endsAfter: boolean;
  readonly more?: string;
}

function converse(port: number, { chunks, endsAfter, more }: Conversation): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const received: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => {
      received.push(bytes);
      if (more !== undefined) socket.write(more);
    });
    socket.on('end', () => socket.end());
    // The server may close while we are still sending; what it said before counts.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')));
    for (const chunk of chunks) socket.write(chunk);
    if (endsAfter) socket.end();
  });
}

/** The first answer in the bytes. `hasBody` false for one to HEAD, whose length is that of what GET would give. */
export function parseAnswer(text: string, { hasBody = true } = {}): WireAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const headers = new Headers(fields);
  const length = hasBody ? Number(headers.get('content-length') ?? 0) : 0;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    names: fields.map(([name]) => name),
    body: text.slice(end + 4, end + 4 + length),
    rest: text.slice(end + 4 + length),
  };
}
