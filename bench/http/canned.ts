import { request } from 'node:http';

import type { Request } from '../load/messages.ts';
import type { Canned } from './messages.ts';

/** An answer of ours as a peer can give it: the same bytes, with as many headers. */
export function cannedOf(port: number, { path, headers }: Request): Promise<Canned> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: ownHeaders(response.rawHeaders), body });
      });
    });
    asking.on('error', reject);
    asking.end();
  });
}

const ADDED_BY_NODE: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive']);

function ownHeaders(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter(
    (_, index) => !ADDED_BY_NODE.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ''),
  );
}
