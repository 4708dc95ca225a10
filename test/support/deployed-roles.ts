import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { root } from './compose.ts';
import { temporaryFolder } from './folder.ts';

/** What deploy/mongodb-users.js makes, as a database with nothing in it is asked for it, or one that has some of it. */
export interface Made {
  readonly roles: readonly MadeRole[];
  readonly users: readonly MadeUser[];
  /** The calls that made or changed them, in their order. */
  readonly calls: readonly string[];
}

export interface MadeRole {
  readonly role: string;
  readonly privileges: readonly {
    readonly resource: { readonly db: string; readonly collection: string };
    readonly actions: readonly string[];
  }[];
}

export interface MadeUser {
  readonly user: string;
  readonly pwd: string;
  readonly roles: readonly { readonly role: string; readonly db: string }[];
}

const USERS = ['project', 'serve', 'accounts'] as const;
/** A user of the database. */
export type RoleName = (typeof USERS)[number];

/** The password of a user is its name with `password of` before it. */
export function runUserScript({ isThere }: { readonly isThere: boolean } = { isThere: false }): Made {
  const roles: MadeRole[] = [];
  const users: MadeUser[] = [];
  const calls: string[] = [];
  const known = isThere ? {} : null;
  const catalog = {
    getRole: () => known,
    getUser: () => known,
    createRole: (made: MadeRole) => void (calls.push(`createRole ${made.role}`), roles.push(made)),
    createUser: (made: MadeUser) => void (calls.push(`createUser ${made.user}`), users.push(made)),
    updateRole: (role: string, made: Omit<MadeRole, 'role'>) =>
      void (calls.push(`updateRole ${role}`), roles.push({ ...made, role })),
    updateUser: (user: string, made: Omit<MadeUser, 'user'>) =>
      void (calls.push(`updateUser ${user}`), users.push({ ...made, user })),
  };
  const folder = temporaryFolder();
  for (const user of USERS) writeFileSync(join(folder, `mongodb-${user}-password`), `password of ${user}\n`);
  runInNewContext(readFileSync(join(root, 'deploy/mongodb-users.js'), 'utf8'), {
    db: { getSiblingDB: (name: string) => (name === 'catalog' ? catalog : null) },
    process: { env: { SECRETS: folder } },
    require: createRequire(import.meta.url),
  });
  return { roles, users, calls };
}

/** An action on a collection, or on the database as a whole: `insert quota`, `listCollections `. */
export type Act = `${string} ${string}`;

/** What a user may do, as MongoDB reads its roles. */
export interface Rights {
  readonly may: (action: string, collection: string) => boolean;
  /** All that is granted by name; where the name is empty, on every collection. */
  readonly granted: ReadonlySet<Act>;
}

export function rightsOf(user: RoleName): Rights {
  const { roles, users } = runUserScript();
  const held = users.find((one) => one.user === user)?.roles.map(({ role }) => role) ?? [];
  // The built-in role, which this project gives to `project` alone.
  if (held.includes('readWrite')) return { may: () => true, granted: new Set() };
  const granted = new Set<Act>(
    roles
      .filter(({ role }) => held.includes(role))
      .flatMap(({ privileges }) => privileges)
      .flatMap(({ resource, actions }) => actions.map((action): Act => `${action} ${resource.collection}`)),
  );
  const may = (action: string, collection: string) =>
    granted.has(`${action} ${collection}`) || granted.has(`${action} `);
  return { may, granted };
}
