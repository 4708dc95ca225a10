import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What no client in its right mind sends, each on a connection of its own. */
export interface Hostility {
  readonly port: number;
  readonly key: string;
  readonly asset: string;
}

type Bytes = (hostility: Hostility) => string;

const top = (headers = ''): string => `GET /api/v1/top HTTP/1.1\r\nHost: soak\r\n${headers}`;

const CASES: readonly (readonly [name: string, bytes: Bytes, how: 'whole' | 'reset' | 'stalled' | 'slow'])[] =
  [
    ['half a request, and then nothing', () => 'GET /api/v1/to', 'stalled'],
    ['half a header, and then a reset', () => top('X-A: b'), 'reset'],
    ['headers that are too long', () => top(`X-A: ${'a'.repeat(20_000)}\r\n\r\n`), 'whole'],
    [
      'an address that is too long',
      () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: soak\r\n\r\n`,
      'whole',
    ],
    ['no HTTP', () => '\x16\x03\x01\x00\xa5\x01', 'whole'],
    ['octets that are not encoded', () => 'GET /?q=\xd0\xb1 HTTP/1.1\r\nHost: soak\r\n\r\n', 'whole'],
    ['a body', () => top('Content-Length: 5\r\n\r\nabcde'), 'whole'],
    [
      'an upgrade with half a request after it',
      () => `${top('Connection: Upgrade\r\nUpgrade: x\r\n\r\n')}GET /a`,
      'whole',
    ],
    [
      'sixty requests at once, and a reset',
      ({ key }) => top(`x-api-key: ${key}\r\n\r\n`).repeat(60),
      'reset',
    ],
    [
      'fifty requests for a large file, and nobody reads',
      ({ asset }) => `GET ${asset} HTTP/1.1\r\nHost: soak\r\n\r\n`.repeat(50),
      'slow',
    ],
  ];

const STALLED_MS = 3000;
const RESET_MS = 20;

/** One of each in turn until `isOver`, a few at a time. Resolves with how many there were. */
export async function beHostile(hostility: Hostility, isOver: () => boolean): Promise<number> {
  let sent = 0;
  const one = async (): Promise<void> => {
    while (!isOver()) {
      const [, bytes, how] = CASES[sent % CASES.length] as (typeof CASES)[number];
      sent += 1;
      await converse(hostility.port, bytes(hostility), how);
      await sleep(RESET_MS);
    }
  };
  await Promise.all([one(), one(), one(), one()]);
  return sent;
}

function converse(port: number, bytes: string, how: (typeof CASES)[number][2]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes, 'latin1'));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    if (how === 'slow') socket.pause();
    else socket.resume();
    const end = how === 'reset' ? RESET_MS : STALLED_MS;
    const timer = setTimeout(() => socket.resetAndDestroy(), end);
    socket.once('close', () => clearTimeout(timer));
  });
}
