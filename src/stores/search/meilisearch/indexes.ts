import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Task } from 'meilisearch';

import { messageOf, PermanentError } from '../../../platform/errors.ts';
import { chunks } from '../../../platform/chunks.ts';
import { missing, refusal } from '../checks.ts';
import type { Applied, SearchEntry } from '../port.ts';
import type { MeilisearchConnection } from './connection.ts';
import { codeOf } from './errors.ts';
import { hasSettings, SETTINGS } from './index-settings.ts';
import { idOfSeal, storedOf } from './stored-entry.ts';
import { indexOf, uidOf } from './terms.ts';

/** Entries that one task adds or removes. */
const CHUNK = 1000;
/** Entries that are made before others have their turn. */
const SOME = 100;
const LISTED = 1000;
const TOO_LARGE = 'payload_too_large';

const DONE: Applied = { outcome: 'done' };

/** Indexes, and changes of what they hold. Each change is a task, and is over when the task is. */
export class MeilisearchIndexes {
  readonly #connection: MeilisearchConnection;

  constructor(connection: MeilisearchConnection) {
    this.#connection = connection;
  }

  /** The settings are there before anybody takes the index for declared, and so before the first entry. */
  async declare(index: string): Promise<void> {
    if (await this.#isDeclared(index)) return;
    const uid = uidOf(index);
    const created = await this.#connection.work((client) => client.createIndex(uid, { primaryKey: 'id' }));
    if (codeIn(created) !== 'index_already_exists') refuseFailed(created);
    refuseFailed(await this.#connection.work((client) => client.index(uid).updateSettings(SETTINGS)));
  }

  async put(index: string, entries: readonly SearchEntry[]): Promise<Applied> {
    const reason = refusal(entries);
    if (reason !== null) return { outcome: 'failed', reason };
    if (entries.length === 0) return DONE;
    await this.#requireDeclared(index);
    for (const chunk of chunks(entries, CHUNK)) {
      const applied = await this.#add(index, `[${(await textsOf(chunk)).join(',')}]`);
      if (applied.outcome === 'failed') return applied;
    }
    // Documents for an index that was dropped meanwhile have made one of that name, without settings.
    await this.#requireDeclared(index);
    return DONE;
  }

  async remove(index: string, ids: readonly string[]): Promise<Applied> {
    for (const chunk of chunks(ids, CHUNK)) {
      const task = await this.#connection.work((client) =>
        client.index(uidOf(index)).deleteDocuments([...chunk]),
      );
      if (task.status === 'failed' && codeIn(task) !== 'index_not_found') return failed(task);
    }
    return DONE;
  }

  async seal(index: string, seal: string, without: readonly string[]): Promise<void> {
    const uid = uidOf(index);
    await this.#requireDeclared(index);
    const options = { primaryKey: 'id' };
    // Without a key and without words: it is none of the entries.
    const seals = [{ id: idOfSeal(seal), score: 0, seal }];
    refuseFailed(await this.#connection.work((client) => client.index(uid).addDocuments(seals, options)));
    if (without.length > 0) {
      const old = without.map(idOfSeal);
      refuseFailed(await this.#connection.work((client) => client.index(uid).deleteDocuments(old)));
    }
    await this.#requireDeclared(index);
  }

  /** Those with our settings, ascending. */
  async names(): Promise<readonly string[]> {
    const declared: string[] = [];
    for (let offset = 0; ; offset += LISTED) {
      const { results } = await this.#connection.request((client) =>
        client.getRawIndexes({ offset, limit: LISTED }),
      );
      for (const { uid } of results) {
        const index = indexOf(uid);
        if (index !== null && (await this.#isDeclared(index))) declared.push(index);
      }
      if (results.length < LISTED) return declared.toSorted();
    }
  }

  async drop(index: string): Promise<void> {
    const task = await this.#connection.work((client) => client.deleteIndex(uidOf(index)));
    if (codeIn(task) !== 'index_not_found') refuseFailed(task);
  }

  /** One task. What is too large for Meilisearch is refused as a whole. */
  async #add(index: string, documents: string): Promise<Applied> {
    try {
      const task = await this.#connection.work((client) =>
        client
          .index(uidOf(index))
          .addDocumentsFromString(documents, 'application/json', { primaryKey: 'id' }),
      );
      if (codeIn(task) === 'index_not_found') throw missing(index);
      return task.status === 'failed' ? failed(task) : DONE;
    } catch (thrown) {
      if (codeOf(thrown) !== TOO_LARGE) throw thrown;
      return { outcome: 'failed', reason: `Meilisearch: ${messageOf(thrown)}` };
    }
  }

  async #requireDeclared(index: string): Promise<void> {
    if (!(await this.#isDeclared(index))) throw missing(index);
  }

  async #isDeclared(index: string): Promise<boolean> {
    try {
      return hasSettings(
        await this.#connection.request((client) => client.index(uidOf(index)).getSettings()),
      );
    } catch (thrown) {
      if (codeOf(thrown) === 'index_not_found') return false;
      throw thrown;
    }
  }
}

async function textsOf(entries: readonly SearchEntry[]): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const some of chunks(entries, SOME)) {
    texts.push(...some.map((entry) => JSON.stringify(storedOf(entry))));
    await nextTurn();
  }
  return texts;
}

function codeIn(task: Task): string | null {
  return task.error?.code ?? null;
}

function failed(task: Task): Applied {
  return { outcome: 'failed', reason: reasonOf(task) };
}

/** @throws {PermanentError} where the engine refuses what has nothing to do with entries. */
function refuseFailed(task: Task): void {
  if (task.status === 'failed') throw new PermanentError(reasonOf(task));
}

function reasonOf({ uid, error }: Task): string {
  return `Meilisearch refused task ${uid}: ${error?.message}`;
}
