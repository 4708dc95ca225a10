import { connect } from 'node:net';

import type { Request } from './messages.ts';

/** One kept connection over which requests go as bytes, one at a time. Much cheaper than a client of HTTP, and as exact. */
export interface Connection {
  /** False once the server has closed it, or has said that it will. */
  readonly isOpen: () => boolean;
  /** Not while another one is under way. Told are the status and the head; where the connection ended first, 0 and what had arrived. */
  ask(request: Buffer, onAnswer: OnAnswer): void;
  close(): void;
}

type OnAnswer = (status: number, head: string) => void;

export function openConnection(port: number): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let onAnswer: OnAnswer | null = null;
  let [status, text] = [0, ''];
  /** Bytes of the answer that are still to come; null until its head is there. */
  let left: number | null = null;
  let head: Buffer | null = null;
  let isLast = false;

  socket.on('data', (data: Buffer) => {
    if (left !== null) left -= data.length;
    else {
      head = head ? Buffer.concat([head, data]) : data;
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      text = head.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      isLast = /\r\nconnection: close/i.test(text);
      const length = status === 304 ? '0' : (/content-length: (\d+)/i.exec(text)?.[1] ?? '0');
      left = Number(length) - (head.length - end - 4);
    }
    if (left > 0) return;
    left = null;
    head = null;
    answered(status, text);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => answered(0, head?.toString('latin1') ?? ''));

  function answered(...answer: Parameters<OnAnswer>): void {
    const told = onAnswer;
    onAnswer = null;
    told?.(...answer);
  }

  return {
    ask(request, then) {
      onAnswer = then;
      socket.write(request);
    },
    isOpen: () => socket.writable && socket.readable && !isLast,
    close: () => {
      onAnswer = null;
      socket.destroy();
    },
  };
}

/** As it goes over a connection. */
export function bytesOf({ path, headers }: Request): Buffer {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
