import { createServer } from 'node:net';

import type { Document } from 'mongodb';

import { listenOnLoopback } from './loopback.ts';
import { commandIn, messageOf, messages } from './mongodb-wire.ts';

/** An answer; `cut` closes the connection instead, `silence` says nothing at all. */
export type Answer = Document | 'cut' | 'silence';

/**
 * Speaks MongoDB's protocol as the primary of a replica set, and answers as a test says: no store, and no stand-in for
 * one. It is for what only a real replica set does: step down in the middle, fail to reach a majority.
 */
export interface ScriptedMongodb extends AsyncDisposable {
  readonly url: string;
  /** Every command that was received, but for those that the driver sends by itself. */
  readonly commands: readonly Document[];
  /** The next answers to the commands of one name; without any left it is that nothing is there, and all is well. */
  answer(command: string, ...answers: readonly Answer[]): void;
}

/** On a free port, or on the one that is given. */
export async function startScriptedMongodb(onPort = 0): Promise<ScriptedMongodb> {
  const commands: Document[] = [];
  const scripted = new Map<string, Answer[]>();
  let port = 0;

  function answerTo(command: Document): Answer {
    const [name = ''] = Object.keys(command);
    if (['hello', 'isMaster', 'ismaster'].includes(name)) return hello(`127.0.0.1:${port}`);
    if (name === 'endSessions') return { ok: 1 };
    commands.push(command);
    const next = scripted.get(name)?.shift();
    if (next !== undefined) return next;
    // Every collection exists.
    if (name === 'listIndexes') return listed([{ v: 2, key: { _id: 1 }, name: '_id_' }]);
    return ['find', 'listCollections', 'aggregate'].includes(name) ? listed([]) : { ok: 1 };
  }

  const server = createServer((socket) => {
    socket.on(
      'data',
      messages((message) => {
        const answer = answerTo(commandIn(message));
        if (answer === 'cut') socket.resetAndDestroy();
        else if (answer !== 'silence') socket.write(messageOf(answer, message));
      }),
    );
  });
  const listening = await listenOnLoopback(server, onPort);
  ({ port } = listening);

  return {
    // The driver may ask again at once who the primary is, so that a test need not wait a second for it.
    url: `mongodb://127.0.0.1:${port}/catalog?replicaSet=rs0&minHeartbeatFrequencyMS=20&maxPoolSize=2`,
    commands,
    answer(command, ...answers) {
      scripted.set(command, [...(scripted.get(command) ?? []), ...answers]);
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

/** What a cursor answers that has all of its documents in the first batch. */
export function listed(documents: readonly Document[]): Document {
  return { ok: 1, cursor: { id: 0n, ns: 'catalog.c', firstBatch: documents } };
}

function hello(address: string): Document {
  return {
    ok: 1,
    isWritablePrimary: true,
    ismaster: true,
    helloOk: true,
    setName: 'rs0',
    setVersion: 1,
    hosts: [address],
    me: address,
    primary: address,
    localTime: new Date(1_234_567),
    logicalSessionTimeoutMinutes: 30,
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    minWireVersion: 0,
    maxWireVersion: 25,
  };
}
