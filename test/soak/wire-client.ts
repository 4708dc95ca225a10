import { connect, type Socket } from 'node:net';

/** One connection that is kept: requests as bytes, one at a time, and only the heads of the answers are looked at. */
export interface WireClient {
  /** Rejects where the connection ends first; the next call opens another one. */
  ask(bytes: string, hasBody?: boolean): Promise<Head>;
  close(): void;
}

export interface Head {
  readonly status: number;
  readonly etag: string | null;
  /** Of the key's day. */
  readonly remaining: number;
}

export function createWireClient(port: number): WireClient {
  let socket: Socket | null = null;
  let reading: Reading | null = null;

  return {
    ask(bytes, hasBody = true) {
      return new Promise((resolve, reject) => {
        reading = { resolve, reject, hasBody, head: null, headBytes: '', left: 0, closes: false };
        socket ??= open();
        socket.write(bytes, 'latin1');
      });
    },
    close: () => socket?.destroy(),
  };

  function open(): Socket {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    opened.on('data', (data: Buffer) => reading && take(reading, data));
    opened.on('error', () => undefined);
    opened.on('close', () => {
      if (socket !== opened) return;
      socket = null;
      reading?.reject(new Error('the connection ended before the answer'));
    });
    return opened;
  }

  function take(now: Reading, data: Buffer): void {
    let rest = data.length;
    if (now.head === null) {
      now.headBytes += data.toString('latin1');
      const end = now.headBytes.indexOf('\r\n\r\n');
      if (end === -1) return;
      const text = now.headBytes.slice(0, end);
      now.head = headOf(text);
      now.closes = /\r\nconnection: close/i.test(text);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
      now.left = now.hasBody && now.head.status !== 304 ? length : 0;
      rest = now.headBytes.length - end - 4;
    }
    now.left -= rest;
    if (now.left > 0) return;
    reading = null;
    if (now.closes) {
      socket?.destroy();
      socket = null;
    }
    now.resolve(now.head);
  }
}

interface Reading {
  readonly resolve: (head: Head) => void;
  readonly reject: (reason: unknown) => void;
  readonly hasBody: boolean;
  head: Head | null;
  headBytes: string;
  /** Bytes of the body that are still to come. */
  left: number;
  closes: boolean;
}

function headOf(text: string): Head {
  return {
    status: Number(text.slice(9, 12)),
    etag: /\r\netag: (\S+)/i.exec(text)?.[1] ?? null,
    remaining: Number(/\r\nx-ratelimit-remaining: (\d+)/i.exec(text)?.[1] ?? 0),
  };
}
