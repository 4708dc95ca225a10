import { afterAll, beforeAll, describe, inject } from 'vitest';

import { openMongoDocuments } from '../../src/stores/documents/mongodb/documents.ts';
import { startProxy, type TcpProxy } from '../support/proxy.ts';
import { documentsContract } from './documents.ts';

const service = inject('services')['mongodb'];
const url = new URL(service?.url ?? 'mongodb://none/');
const isThere = typeof service?.url === 'string';

let proxy: TcpProxy;
beforeAll(async () => {
  proxy = await startProxy({ host: url.hostname, port: Number(url.port || 27_017) });
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
});

/** A database of this file's own, through the proxy or past it. */
function addressOf(host: string): string {
  const address = new URL(url);
  address.host = host;
  address.pathname = `/catalog-${process.pid}`;
  address.searchParams.set('directConnection', 'true');
  return address.href;
}

/** Whether these bytes are a command that writes: its name is the first key of the document. */
function isWrite(bytes: Buffer): boolean {
  return ['insert', 'update', 'delete'].some((name) => bytes.includes(`\u0002${name}\0`));
}

describe.runIf(isThere)('a MongoDB server', () => {
  documentsContract('MongoDB', () => {
    const proxied = addressOf(`127.0.0.1:${proxy.port}`);
    return {
      open: async () => openMongoDocuments(proxied, { patienceMs: 1000 }),
      openInterrupted: async () => {
        const documents = openMongoDocuments(proxied, { patienceMs: 1000 });
        await documents.now();
        proxy.loseAnswerTo(isWrite);
        return documents;
      },
      cut: async () => {
        proxy.down();
        return { heal: async () => proxy.up() };
      },
    };
  });
});
