import { connect } from 'node:net';

/** One kept connection over which requests go as bytes, one at a time. Much cheaper than a client of HTTP, and as exact. */
export interface Connection {
  /** False once the server has closed it, as it does with one that stands idle for long. */
  readonly isOpen: () => boolean;
  /** For how long it has had nothing to do. */
  readonly idleMs: () => number;
  /** Not while another one is under way. Told are the status and the head; 0 where the connection ended first. */
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
  let usedAt = performance.now();

  socket.on('data', (data: Buffer) => {
    if (left !== null) left -= data.length;
    else {
      head = head ? Buffer.concat([head, data]) : data;
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      text = head.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      const length = status === 304 ? '0' : (/content-length: (\d+)/i.exec(text)?.[1] ?? '0');
      left = Number(length) - (head.length - end - 4);
    }
    if (left > 0) return;
    left = null;
    head = null;
    usedAt = performance.now();
    answered(status);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => answered(0));

  function answered(as: number): void {
    const told = onAnswer;
    onAnswer = null;
    told?.(as, text);
  }

  return {
    ask(request, then) {
      onAnswer = then;
      socket.write(request);
    },
    isOpen: () => socket.writable && socket.readable,
    idleMs: () => performance.now() - usedAt,
    close: () => {
      onAnswer = null;
      socket.destroy();
    },
  };
}
