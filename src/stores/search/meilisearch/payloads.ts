import { setImmediate as nextTurn } from 'node:timers/promises';

import type { SearchEntry } from '../port.ts';
import { storedOf } from './stored.ts';

/** Entries in one task: Meilisearch begins with the first while the next is made. */
const MOST_ENTRIES = 4000;
/** Characters in one task, where one entry has not more: Meilisearch takes 100 MiB by default. */
const MOST_CHARACTERS = 16 * 2 ** 20;
/** Entries that are made before others have their turn. */
const SOME = 100;

/** Entries as the text that Meilisearch is sent. Making it takes as long as much of what Meilisearch does with it. */
export class Payloads {
  readonly #made = new WeakMap<SearchEntry, string>();

  /** Makes the texts ahead. They are kept for as long as the entries are. */
  async prepare(entries: readonly SearchEntry[]): Promise<void> {
    for (const [at, entry] of entries.entries()) {
      if (at % SOME === 0) await nextTurn();
      this.#made.set(entry, textOf(entry));
    }
  }

  /** A list in JSON for each task. */
  async *of(entries: readonly SearchEntry[]): AsyncGenerator<string, void> {
    let texts: string[] = [];
    let characters = 0;
    for (const [at, entry] of entries.entries()) {
      if (at > 0 && at % SOME === 0) await nextTurn();
      const text = this.#made.get(entry) ?? textOf(entry);
      if (texts.length === MOST_ENTRIES || (texts.length > 0 && characters + text.length > MOST_CHARACTERS)) {
        yield listOf(texts);
        [texts, characters] = [[], 0];
      }
      texts.push(text);
      characters += text.length;
    }
    if (texts.length > 0) yield listOf(texts);
  }
}

function textOf(entry: SearchEntry): string {
  return JSON.stringify(storedOf(entry));
}

function listOf(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}
