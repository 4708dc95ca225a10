import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server on 127.0.0.1. Disposing it cuts every connection. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
}

/** On any free port, if none is named. What goes wrong on a connection ends that connection alone. */
export async function listenOnLoopback(server: Server, onPort = 0): Promise<Listening> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).once('close', () => open.delete(socket));
  });
  server.listen(onPort, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
