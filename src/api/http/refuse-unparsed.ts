import type { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Api } from '../app.ts';
import { DEFAULT_LOCALE } from '../../texts/texts.ts';
import { problem } from '../problems.ts';
import type { Connections } from './connections.ts';
import { type ParserError, type UnparsedRequest, unparsedOf } from './parser-errors.ts';

/** Answers what the parser refuses, once and after the answers that are still owed, and then ends the connection. */
export function refuseUnparsed(
  server: Server,
  api: Api,
  connections: Connections,
  requestTimeoutMs: number,
): void {
  const seconds = Math.round(requestTimeoutMs / 1000);

  server.on('clientError', (error: ParserError, socket: Duplex) => {
    refuse(socket, unparsedOf(error, seconds));
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    refuse(socket, { refused: problem('wrong_method'), method: 'CONNECT', locale: DEFAULT_LOCALE });
  });

  function refuse(socket: Duplex, refusal: UnparsedRequest): void {
    // After a reset there is nobody to tell; after the last word, nothing more to say.
    if (!socket.writable) {
      if (!socket.writableEnded) socket.destroy();
      return;
    }
    const owed = connections.lastOwed(socket);
    if (!owed) {
      end(socket, refusal);
      return;
    }
    // A response that closes the connection already is the last word on it.
    owed.once('close', () => {
      // What the packet begins with was answered; what it was that is refused, nobody knows.
      const { refused, method } = refusal;
      const known = method === 'HEAD' ? null : method;
      if (socket.writable) end(socket, { refused, method: known, locale: DEFAULT_LOCALE });
    });
  }

  function end(socket: Duplex, { refused, method, locale }: UnparsedRequest): void {
    const { requestId, status, head, body } = api.refusals(refused, locale);
    socket.end(method === 'HEAD' ? head : head + body, () => socket.destroy());
    // Its other end, as long as it is there.
    const address = socket instanceof Socket ? (socket.remoteAddress ?? null) : null;
    api.accessLog.record({
      requestId,
      method,
      route: null,
      status,
      cost: 0,
      durationMs: 0,
      keyId: null,
      address,
    });
  }
}
