import type { Socket } from 'node:net';

import type { Turn } from '../connections.ts';
import type { Prompt, Waiting, WriteAnswer } from './prompt.ts';

/** Requests that wait at their sockets for the quota, or for what their route reads. */
export interface Waits {
  begin(waiting: Waiting, at: WaitingSocket): void;
  /** Gives it to the usual way, with what was begun for it, unless it waits no more. */
  handOver(waiting: Waiting): void;
  handOverAll(): void;
}

interface WaitingSocket {
  readonly socket: Socket;
  readonly turn: Turn;
  readonly write: WriteAnswer;
  /** Has the request answered the usual way. */
  readonly toUsual: (waiting: Waiting) => void;
  /** Told once it waits no more, and is answered or with the usual way. */
  readonly over: () => void;
}

interface WaitsOptions {
  readonly prompt: Pick<Prompt, 'answerWaiting' | 'gone'>;
  readonly isOpen: (socket: Socket) => boolean;
  readonly ending: () => string;
}

/**
 * So long is waited at the socket, in milliseconds: many times what a store takes that is well. What takes longer is for the
 * usual way, which knows when to say that a store is too slow.
 */
const LONGEST_MS = 200;

export function createWaits({ prompt, isOpen, ending }: WaitsOptions): Waits {
  /** What ends each of them. */
  const open = new Map<Waiting, () => void>();

  return {
    begin(waiting, { socket, turn, write, toUsual, over }) {
      // A connection that stands still for its answer is neither idle nor free.
      turn.begin();
      const timer = setTimeout(handOver, LONGEST_MS);
      open.set(waiting, handOver);
      void waiting.awaited.then((settled) => {
        if (!open.has(waiting)) return;
        if (!isOpen(socket) || !prompt.answerWaiting(waiting, settled, ending(), write)) {
          handOver();
          return;
        }
        end();
        over();
      }, handOver);

      function handOver(): void {
        if (!open.has(waiting)) return;
        end();
        if (socket.destroyed) {
          prompt.gone(waiting);
          return;
        }
        turn.done();
        toUsual(waiting);
        over();
      }

      function end(): void {
        clearTimeout(timer);
        open.delete(waiting);
      }
    },

    handOver: (waiting) => open.get(waiting)?.(),

    handOverAll() {
      for (const handOver of open.values()) handOver();
    },
  };
}
