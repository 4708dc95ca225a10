import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// The kernel gives ports from 32768 (Linux) or 49152 (macOS, Windows) to outgoing connections and to servers that ask
// for any. It would hand a port of its own to somebody else before the server that it is meant for has started.
const LOWEST = 10_000;
const END = 32_768;

/** Begins with the one port from there on that `fetch` refuses to ask (Fetch Standard, "bad port"). */
const given = new Set([10_080]);

/** A port that is free, that the kernel gives to nobody else, and that this process has not handed out before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, END);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

/** Several free ports, each another one. */
export function freePorts(count: number): Promise<readonly number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
