import { connect, createServer } from 'node:net';

import type { Document } from 'mongodb';

import { type Act, rightsOf, type RoleName } from './deployed-roles.ts';
import { listenOnLoopback } from './loopback.ts';
import { commandIn, messageOf, messages } from './mongodb-wire.ts';
import { words } from './words.ts';

/**
 * The database of an address as one of its users has it: every command of a connection is looked at before it goes on to the
 * server, and what the user's role lacks is refused as MongoDB does (13, Unauthorized). For a server that knows no roles.
 */
export interface RoleProxy extends AsyncDisposable {
  readonly url: string;
  /** What the user has used. */
  readonly used: ReadonlySet<Act>;
}

export async function startRoleProxy(url: string, user: RoleName): Promise<RoleProxy> {
  const { hostname, port, pathname } = new URL(url);
  const database = pathname.slice(1);
  const rights = rightsOf(user);
  const used = new Set<Act>();

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
    upstream.pipe(client);
    client.on(
      'data',
      messages((message) => {
        const needs = needsOf(commandIn(message), database);
        const lacking = needs.find(([action, collection]) => !rights.may(action, collection));
        if (lacking) {
          client.write(messageOf(refusal(user, lacking), message));
          return;
        }
        for (const [action, collection] of needs) used.add(`${action} ${collection}`);
        upstream.write(message);
      }),
    );
  });
  const listening = await listenOnLoopback(server);
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${listening.port}` }).href,
    used,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

function refusal(user: string, [action, collection]: readonly [string, string]): Document {
  const errmsg = `not authorized as ${user}: ${action} ${collection}`;
  return { ok: 0, code: 13, codeName: 'Unauthorized', errmsg };
}

/** Commands of the connection itself, for which nobody needs a right. */
const FREE: ReadonlySet<string> = new Set(
  words('hello isMaster ismaster ping endSessions saslStart saslContinue'),
);

/** By command, the actions that it needs: https://www.mongodb.com/docs/manual/reference/privilege-actions/ */
const ACTIONS: Readonly<Record<string, string>> = {
  find: 'find',
  aggregate: 'find',
  count: 'find',
  distinct: 'find',
  insert: 'insert',
  update: 'update',
  delete: 'remove',
  create: 'createCollection',
  createIndexes: 'createIndex',
  listIndexes: 'listIndexes',
  drop: 'dropCollection',
  dropIndexes: 'dropIndex',
  collMod: 'collMod',
};

/** Stages of a pipeline that touch another collection than the one that is asked: none of ours does, and nobody may. */
const TOUCHING_OTHERS = /"\$(?:out|merge|lookup|graphLookup|unionWith)"/;

type Need = readonly [action: string, collection: string];

/** What no role grants: one for all collections is for those of its own database. */
const elsewhere = (action: string, where: string): Need => [`${action} elsewhere`, where];

/** What a command needs in its database; in another one nobody has anything. */
function needsOf(command: Document, database: string): readonly Need[] {
  const [name = ''] = Object.keys(command);
  if (FREE.has(name)) return [];
  const asked = String(command['$db'] ?? database);
  if (asked !== database) return [elsewhere(name, asked)];
  if (name === 'listCollections') return [['listCollections', '']];
  if (name === 'getMore') return [['find', String(command['collection'])]];
  const collection = String(command[name]);
  const touching = TOUCHING_OTHERS.exec(JSON.stringify(command['pipeline'] ?? []));
  if (touching) return [elsewhere(touching[0], collection)];
  const action = ACTIONS[name];
  // What nobody has thought of here, nobody may.
  if (action === undefined) return [[name, collection]];
  const updates = (command['updates'] ?? []) as readonly { readonly upsert?: boolean }[];
  return [
    [action, collection],
    ...(updates.some(({ upsert }) => upsert === true) ? [['insert', collection] as const] : []),
  ];
}
