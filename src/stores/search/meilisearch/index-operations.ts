import { setImmediate as nextTurn } from 'node:timers/promises';

import type { EnqueuedTask, Index, Task } from 'meilisearch';

import { messageOf, PermanentError } from '../../../platform/errors.ts';
import { chunks } from '../../../platform/chunks.ts';
import { missing, refusal } from '../checks.ts';
import type { Applied, SearchEntry } from '../port.ts';
import type { MeilisearchConnection } from './connection.ts';
import { codeOf } from './errors.ts';
import { hasSettings, SETTINGS } from './index-settings.ts';
import { idOfSeal, storedOf } from './stored-entry.ts';
import { indexOf, uidOf } from './term-encoding.ts';

/** Entries that one task adds or removes. */
const CHUNK = 1000;
/** Entries that are made before others have their turn. */
const SOME = 100;
/** More indexes than a server has. */
const ALL = 100_000;

const DONE: Applied = { outcome: 'done' };
const KEYED = { primaryKey: 'id' };

/** Changes of an index. Each is a task, and is over when the task is. */
export function changesOf(connection: MeilisearchConnection, name: string) {
  const uid = uidOf(name);
  const work = (ask: (index: Index) => Promise<EnqueuedTask>): Promise<Task> =>
    connection.work((client) => ask(client.index(uid)));

  async function requireDeclared(): Promise<void> {
    if (!(await isDeclared(connection, name))) throw missing(name);
  }

  /** One task. What is too large for Meilisearch is refused as a whole. */
  async function add(documents: string): Promise<Applied> {
    try {
      const task = await work((index) => index.addDocumentsFromString(documents, 'application/json', KEYED));
      if (task.error?.code === 'index_not_found') throw missing(name);
      return isRefused(task) ? { outcome: 'failed', reason: reasonOf(task) } : DONE;
    } catch (thrown) {
      if (codeOf(thrown) !== 'payload_too_large') throw thrown;
      return { outcome: 'failed', reason: `Meilisearch: ${messageOf(thrown)}` };
    }
  }

  return {
    /** The settings are there before anybody takes the index for declared, and so before the first entry. */
    declare: async (): Promise<void> => {
      if (await isDeclared(connection, name)) return;
      const created = await connection.work((client) => client.createIndex(uid, KEYED));
      refuseFailed(created, 'index_already_exists');
      refuseFailed(await work((index) => index.updateSettings(SETTINGS)));
    },
    put: async (entries: readonly SearchEntry[]): Promise<Applied> => {
      const reason = refusal(entries);
      if (reason !== null) return { outcome: 'failed', reason };
      if (entries.length === 0) return DONE;
      await requireDeclared();
      for (const chunk of chunks(entries, CHUNK)) {
        const applied = await add(`[${(await textsOf(chunk)).join(',')}]`);
        if (applied.outcome === 'failed') return applied;
      }
      // Documents for an index that was dropped meanwhile have made one of that name, without settings.
      await requireDeclared();
      return DONE;
    },
    remove: async (ids: readonly string[]): Promise<Applied> => {
      for (const chunk of chunks(ids, CHUNK)) {
        const task = await work((index) => index.deleteDocuments([...chunk]));
        if (isRefused(task, 'index_not_found')) return { outcome: 'failed', reason: reasonOf(task) };
      }
      return DONE;
    },
    seal: async (seal: string, without: readonly string[]): Promise<void> => {
      await requireDeclared();
      // Without a key and without words: it is none of the entries.
      const seals = [{ id: idOfSeal(seal), score: 0, seal }];
      refuseFailed(await work((index) => index.addDocuments(seals, KEYED)));
      const old = without.map(idOfSeal);
      if (old.length > 0) refuseFailed(await work((index) => index.deleteDocuments(old)));
      await requireDeclared();
    },
    drop: async (): Promise<void> => refuseFailed(await work((index) => index.delete()), 'index_not_found'),
  };
}

async function isDeclared(connection: MeilisearchConnection, name: string): Promise<boolean> {
  try {
    return hasSettings(await connection.request((client) => client.index(uidOf(name)).getSettings()));
  } catch (thrown) {
    if (codeOf(thrown) === 'index_not_found') return false;
    throw thrown;
  }
}

/** The names of the indexes with our settings, ascending. */
export async function indexNames(connection: MeilisearchConnection): Promise<readonly string[]> {
  const { results } = await connection.request((client) => client.getRawIndexes({ limit: ALL }));
  const declared: string[] = [];
  for (const name of results.flatMap(({ uid }) => indexOf(uid) ?? []))
    if (await isDeclared(connection, name)) declared.push(name);
  return declared.toSorted();
}

async function textsOf(entries: readonly SearchEntry[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const some of chunks(entries, SOME)) {
    texts.push(...some.map((entry) => JSON.stringify(storedOf(entry))));
    await nextTurn();
  }
  return texts;
}

/** By anything but this code. */
function isRefused({ status, error }: Task, harmless?: string): boolean {
  return status === 'failed' && error?.code !== harmless;
}

/** @throws {PermanentError} where the engine refuses what has nothing to do with entries. */
function refuseFailed(task: Task, harmless?: string): void {
  if (isRefused(task, harmless)) throw new PermanentError(reasonOf(task));
}

function reasonOf({ uid, error }: Task): string {
  return `Meilisearch refused task ${uid}: ${error?.message}`;
}
