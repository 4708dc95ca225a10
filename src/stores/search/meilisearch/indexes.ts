import { setImmediate as nextTurn } from 'node:timers/promises';

import type { EnqueuedTask } from 'meilisearch';

import { messageOf } from '../../../platform/errors.ts';
import { chunks } from '../../../platform/chunks.ts';
import { missing, refusal } from '../checks.ts';
import type { Applied, SearchEntry } from '../port.ts';
import type { MeilisearchConnection } from './connection.ts';
import { codeOf } from './errors.ts';
import { hasSettings, settingsToApply } from './settings.ts';
import { idOfSeal, storedOf, storedSeal } from './stored.ts';
import { codeIn, failed, refuseFailed } from './tasks.ts';
import { indexOf, uidOf } from './uid.ts';

/** Entries that one task adds or removes. Meilisearch does tasks that wait together. */
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
    refuseFailed(
      await this.#connection.work((client) => client.index(uid).updateSettings(settingsToApply())),
    );
  }

  async put(index: string, entries: readonly SearchEntry[]): Promise<Applied> {
    const reason = refusal(entries);
    if (reason !== null) return { outcome: 'failed', reason };
    if (entries.length === 0) return DONE;
    await this.#requireDeclared(index);
    const applied = await this.#send(index, entries);
    // Documents for an index that was dropped meanwhile have made one of that name, without settings.
    await this.#requireDeclared(index);
    return applied;
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

  /** Both tasks are given before either is waited for: Meilisearch does them in one go. */
  async seal(index: string, seal: string, without: readonly string[]): Promise<void> {
    const uid = uidOf(index);
    await this.#requireDeclared(index);
    const added = await this.#connection.request((client) =>
      client.index(uid).addDocuments([storedSeal(seal)], { primaryKey: 'id' }),
    );
    const removed =
      without.length === 0
        ? null
        : await this.#connection.request((client) =>
            client.index(uid).deleteDocuments(without.map(idOfSeal)),
          );
    refuseFailed(await this.#connection.finished(added));
    if (removed) refuseFailed(await this.#connection.finished(removed));
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

  /** All tasks are given first and waited for afterwards: Meilisearch does what is waiting in one go. */
  async #send(index: string, entries: readonly SearchEntry[]): Promise<Applied> {
    const until = this.#connection.patience();
    const tasks: EnqueuedTask[] = [];
    let applied = DONE;
    for (const chunk of chunks(entries, CHUNK)) {
      this.#connection.requireTime(until);
      try {
        for await (const task of this.#give(index, await textsOf(chunk))) tasks.push(task);
      } catch (thrown) {
        if (codeOf(thrown) !== TOO_LARGE) throw thrown;
        // A single entry that large is refused for good.
        applied = { outcome: 'failed', reason: `Meilisearch: ${messageOf(thrown)}` };
        break;
      }
    }
    for (const enqueued of tasks) {
      const task = await this.#connection.finished(enqueued, until);
      if (codeIn(task) === 'index_not_found') throw missing(index);
      if (task.status === 'failed') applied = failed(task);
    }
    return applied;
  }

  /** Gives them as one task; as several where that is too large for Meilisearch. */
  async *#give(index: string, texts: readonly string[]): AsyncGenerator<EnqueuedTask, void> {
    const documents = `[${texts.join(',')}]`;
    try {
      yield await this.#connection.request((client) =>
        client
          .index(uidOf(index))
          .addDocumentsFromString(documents, 'application/json', { primaryKey: 'id' }),
      );
    } catch (thrown) {
      if (codeOf(thrown) !== TOO_LARGE || texts.length === 1) throw thrown;
      const half = Math.ceil(texts.length / 2);
      yield* this.#give(index, texts.slice(0, half));
      yield* this.#give(index, texts.slice(half));
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
