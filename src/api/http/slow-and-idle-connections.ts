import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { LIMITS } from './limits.ts';

/**
 * What is known of each open connection: which answers it is owed, whether it has had its last one, and how much of what
 * it was sent may still wait for its reader. Everything that is kept of a connection goes with it.
 *
 * What was handed to a socket waits in the kernel, megabytes for each, where Node cannot see it. That it was taken shows
 * only when the reader asks for more, or ends the connection; until then it counts.
 */
export type Connections = ReturnType<typeof createConnections>;

/** What one connection may have unread without a look: the kernel holds at least as much for it. */
const SMALL_BYTES = 65_536;

interface Connection {
  readonly socket: Socket;
  /** With the moments at which their requests arrived, oldest first. */
  readonly owed: Map<ServerResponse, number>;
  isEnding: boolean;
  /** Bytes that had been sent when the reader last showed that it has them all. */
  readBytes: number;
  /** What counts for it in the total. */
  unreadBytes: number;
  sentAt: number;
}

export function createConnections({
  requestTimeoutMs,
  maxUnreadBytes,
}: Pick<typeof LIMITS, 'requestTimeoutMs' | 'maxUnreadBytes'>) {
  const connections = new Map<Duplex, Connection>();
  // Over all of them.
  let unread = 0;

  return {
    /** False where this is nobody's request: it follows the last one that its connection may send. */
    admit(request: IncomingMessage, response: ServerResponse): boolean {
      const { socket } = request;
      const connection = connections.get(socket) ?? open(socket);
      if (connection.isEnding) return false;
      // A reader that asks for more with nothing outstanding has what was sent before.
      if (connection.owed.size === 0) {
        connection.readBytes = socket.bytesWritten;
        count(connection);
      }
      connection.owed.set(response, performance.now());
      response.on('close', closed);
      return true;
    },

    /** The request that has just been looked at is the last one on its connection. */
    endAfter({ socket }: IncomingMessage): void {
      const connection = connections.get(socket);
      if (connection) connection.isEnding = true;
    },

    /** The last of the answers that a connection is owed. */
    lastOwed: (socket: Duplex) => [...(connections.get(socket)?.owed.keys() ?? [])].at(-1),

    /** Ends the connections whose oldest answer was not taken in time; to be called now and then. */
    cutSlow(): void {
      const oldest = performance.now() - requestTimeoutMs;
      for (const connection of connections.values()) {
        count(connection);
        const [since = oldest] = connection.owed.values();
        if (since < oldest) cut(connection.socket);
      }
      if (unread > maxUnreadBytes) makeRoom();
    },

    /** There is no place for another one: ends those that have been owed nothing for so long, in milliseconds. */
    makePlace(idleMs: number): void {
      const oldest = performance.now() - idleMs;
      for (const { socket, owed, sentAt } of connections.values())
        if (owed.size === 0 && sentAt < oldest) socket.destroy();
    },

    /** For a connection that has stood idle: ends it, unless its last answer may still be on its way. */
    cutIdle(socket: Socket): void {
      const connection = connections.get(socket);
      const restMs = (connection?.sentAt ?? 0) + requestTimeoutMs - performance.now();
      if (!connection || connection.unreadBytes <= SMALL_BYTES) socket.destroy();
      else if (restMs > 0) socket.setTimeout(Math.ceil(restMs));
      else cut(socket);
    },
  };

  /** One listener for all: it comes once for each response. */
  function closed(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (!connection) return;
    connection.owed.delete(this);
    connection.sentAt = performance.now();
    count(connection);
    if (unread > maxUnreadBytes) makeRoom();
  }

  function open(socket: Socket): Connection {
    const connection: Connection = {
      socket,
      owed: new Map(),
      isEnding: false,
      readBytes: 0,
      unreadBytes: 0,
      sentAt: performance.now(),
    };
    connections.set(socket, connection);
    socket.once('close', () => {
      // An answer that was still in line behind another one never closes by itself.
      connections.delete(socket);
      unread -= connection.unreadBytes;
    });
    return connection;
  }

  function count(connection: Connection): void {
    const bytes = connection.socket.bytesWritten - connection.readBytes;
    unread += bytes - connection.unreadBytes;
    connection.unreadBytes = bytes;
  }

  /** The connection that has taken least of what it asked for goes first. */
  function makeRoom(): void {
    const bySize = [...connections.values()].sort((a, b) => b.unreadBytes - a.unreadBytes);
    let rest = unread;
    for (const { socket, unreadBytes } of bySize) {
      if (rest <= maxUnreadBytes) return;
      rest -= unreadBytes;
      cut(socket);
    }
  }
}

/** With a reset: after a mere close, the kernel would keep what was not read for minutes. */
function cut(socket: Socket): void {
  socket.resetAndDestroy();
}
