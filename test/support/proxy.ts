import { connect, createServer, type Socket } from 'node:net';

import { listenOnLoopback } from './loopback.ts';

/**
 * A TCP proxy that stands between a client and a service, and does what networks do:
 *
 *   open --down()--> down --up()--> open      connections are reset, and new ones as well
 *   open --stall()--> stalled --up()--> open  connections stay, and carry nothing in either direction
 */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** How many connections were made so far, refused ones included. */
  readonly connections: number;
  down(): void;
  stall(): void;
  up(): void;
  /** Bytes arrive this much later, in milliseconds. */
  slow(delayMs: number): void;
  /** Lets the next request that looks like this reach the service, and resets the connection instead of its answer. */
  loseAnswerTo(isMeant: (bytes: Buffer) => boolean): void;
}

export async function startProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let state: 'open' | 'down' | 'stalled' = 'open';
  let delayMs = 0;
  let connections = 0;
  let isMeant: ((bytes: Buffer) => boolean) | null = null;

  const server = createServer((client) => {
    connections += 1;
    if (state === 'down') {
      client.resetAndDestroy();
      return;
    }
    const service = connect(target);
    let isAnswerLost = false;
    join(client, service, (bytes) => {
      if (isMeant?.(bytes) !== true) return true;
      isMeant = null;
      isAnswerLost = true;
      return true;
    });
    join(service, client, () => {
      if (isAnswerLost) client.resetAndDestroy();
      return !isAnswerLost;
    });
  });

  /** Carries bytes one way, those that `pass` lets through, and ends the one side with the other. */
  function join(from: Socket, to: Socket, pass: (bytes: Buffer) => boolean): void {
    open.add(from);
    from.on('data', (bytes: Buffer) => {
      if (state === 'stalled' || !pass(bytes)) return;
      if (delayMs === 0) to.write(bytes);
      else setTimeout(() => to.destroyed || to.write(bytes), delayMs);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      open.delete(from);
      if (state !== 'stalled') to.destroy();
    });
  }

  function reset(): void {
    for (const socket of open) socket.resetAndDestroy();
  }

  const listening = await listenOnLoopback(server);
  return {
    port: listening.port,
    get connections() {
      return connections;
    },
    down() {
      state = 'down';
      reset();
    },
    stall() {
      state = 'stalled';
    },
    up() {
      // What was stalled has lost bytes: it cannot go on.
      if (state === 'stalled') reset();
      state = 'open';
    },
    slow(ms) {
      delayMs = ms;
    },
    loseAnswerTo(meant) {
      isMeant = meant;
    },
    async [Symbol.asyncDispose]() {
      reset();
      await listening[Symbol.asyncDispose]();
    },
  };
}
