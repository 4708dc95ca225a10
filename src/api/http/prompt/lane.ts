import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

import type { Connections } from '../connections.ts';
import type { Prompt, Waiting, WriteAnswer } from './prompt.ts';
import { createWaits } from './waits.ts';
import { isAlone, takeApart, type WholeRequest } from './whole-request.ts';

/**
 * Looks at what comes in on a connection before Node's parser does, and answers at the socket what can be answered from
 * memory. A connection is
 * - watched from its beginning, as long as each piece that came was one plain GET and nothing else. Its first request is
 *   always read by Node, which so knows that the connection has begun;
 * - left to Node for good, as Node had it, from the first piece on that was anything else.
 *
 * This is no second parser. Nothing is read here: bytes are compared with those that Node has read as one whole request.
 * As the parser has seen whole requests alone, it stands between two of them, and misses nothing.
 */
interface Lane {
  watch(socket: Socket): void;
  /** Told of every request that Node has read. */
  arrived(request: IncomingMessage): void;
  /** The server is about to close: from now on nothing waits at a socket. To Node, such a connection is idle. */
  stop(): void;
}

export interface LaneOptions {
  readonly server: Server;
  readonly prompt: Prompt;
  readonly connections: Pick<Connections, 'turnOf'>;
}

export function createLane({ server, prompt, connections }: LaneOptions): Lane {
  const ending = createEnding(server);
  /** What Node has made of the piece that it was given last. */
  let arrived: IncomingMessage[] = [];
  /** What has waited, and is given to Node just now. */
  let handedOver: Waiting | null = null;
  let isStopped = false;
  const isOpen = (socket: Socket): boolean => !isStopped && server.listening && socket.writable;
  const waits = createWaits({ prompt, ending, isOpen });

  return {
    watch(socket) {
      const [toNode, ...others] = socket.listeners('data') as ((piece: Buffer) => void)[];
      if (!toNode || others.length > 0) return;
      const turn = connections.turnOf(socket);
      let hasBegun = false;
      let isLeft = false;
      /** What came while a request waits: one piece, for then the socket is paused. */
      let kept: Buffer | null = null;

      const write: WriteAnswer = (text, rest, charset) => {
        turn.begin();
        if (!rest) {
          socket.write(text, charset, turn.done);
          return;
        }
        socket.cork();
        socket.write(text, charset);
        socket.write(rest, turn.done);
        socket.uncork();
      };

      const leave = (): void => {
        isLeft = true;
        socket.on('data', toNode);
        socket.off('data', onPiece);
      };

      const onPiece = (piece: Buffer): void => {
        if (wait.isTaken()) {
          kept = piece;
          socket.pause();
          return;
        }
        const asked = takeApart(piece);
        const isFree = hasBegun && asked && turn.isFree() && isOpen(socket);
        const answered = isFree && prompt.answer(asked, ending(), write, socket);
        if (answered === true) return;
        if (!answered) {
          toUsual(piece, asked, null);
          return;
        }
        wait.begin(answered, () => toUsual(piece, asked, answered));
      };

      const over = (): void => {
        if (!kept) return;
        const piece = kept;
        kept = null;
        if (isLeft) toNode.call(socket, piece);
        else onPiece(piece);
        socket.resume();
      };

      const toUsual = (piece: Buffer, asked: WholeRequest | null, waited: Waiting | null): void => {
        const isPlain = asked !== null && isAlone(asked);
        if (!isPlain) leave();
        arrived = [];
        handedOver = waited;
        toNode.call(socket, piece);
        if (handedOver) prompt.gone(handedOver);
        handedOver = null;
        const [request, ...more] = arrived;
        arrived = [];
        if (!isPlain) return;
        if (request?.complete === true && more.length === 0 && request.url === asked.target) {
          hasBegun = true;
          prompt.learn(asked, request);
        } else leave();
      };

      const wait = waits.at({ socket, turn, write, over });
      socket.on('data', onPiece);
      // Before Node ends a connection on which it knows of no request.
      socket.prependListener('end', wait.handOver);
      socket.off('data', toNode);
    },

    arrived(request) {
      arrived.push(request);
      if (handedOver) prompt.handOver(handedOver, request);
      handedOver = null;
    },

    stop() {
      isStopped = true;
      waits.handOverAll();
    },
  };
}

/** The fields that Node ends a head with where the connection goes on, of this second. */
function createEnding(server: Server): () => string {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      const date = new Date(now * 1000).toUTCString();
      const keptS = Math.floor(server.keepAliveTimeout / 1000);
      text = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keptS}\r\n\r\n`;
    }
    return text;
  };
}
