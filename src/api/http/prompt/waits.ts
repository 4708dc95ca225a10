import type { Socket } from 'node:net';

import type { Turn } from '../connections.ts';
import type { Prompt, Waiting, WriteAnswer } from './prompt.ts';

/** Requests that wait at their sockets for the quota, or for what their route reads. */
export interface Waits {
  /** The place of a connection, for as long as it is open. */
  at(connection: WaitingConnection): Wait;
  handOverAll(): void;
}

/** Where the requests of one connection wait, one at a time. */
export interface Wait {
  /** `toUsual` has the request answered the usual way. */
  begin(waiting: Waiting, toUsual: () => void): void;
  isTaken(): boolean;
  /** Gives what waits to the usual way, with what was begun for it; nothing where none does. */
  readonly handOver: () => void;
}

interface WaitingConnection {
  readonly socket: Socket;
  readonly turn: Turn;
  readonly write: WriteAnswer;
  /** Told once the request waits no more, and is answered or with the usual way. */
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
  /** One for each connection and not for each request: a set that changes all the time keeps removed entries in memory for a while. */
  const waits = new Set<Wait>();

  return {
    at({ socket, turn, write, over }) {
      let current: { readonly waiting: Waiting; readonly toUsual: () => void } | null = null;
      let timer: NodeJS.Timeout | undefined;

      const handOver = (): void => {
        if (!current) return;
        const { waiting, toUsual } = current;
        end();
        if (socket.destroyed) {
          prompt.gone(waiting);
          return;
        }
        turn.done();
        toUsual();
        over();
      };

      const wait: Wait = {
        begin(waiting, toUsual) {
          // A connection that stands still for its answer is neither idle nor free.
          turn.begin();
          current = { waiting, toUsual };
          timer = setTimeout(handOver, LONGEST_MS);
          const isCurrent = (): boolean => current?.waiting === waiting;
          void waiting.awaited.then(
            (settled) => {
              if (!isCurrent()) return;
              if (!isOpen(socket) || !prompt.answerWaiting(waiting, settled, ending(), write)) {
                handOver();
                return;
              }
              end();
              over();
            },
            () => {
              if (isCurrent()) handOver();
            },
          );
        },
        isTaken: () => current !== null,
        handOver,
      };
      waits.add(wait);
      socket.once('close', () => {
        handOver();
        waits.delete(wait);
      });
      return wait;

      function end(): void {
        clearTimeout(timer);
        current = null;
      }
    },

    handOverAll() {
      for (const wait of waits) wait.handOver();
    },
  };
}
