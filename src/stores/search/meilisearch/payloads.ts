import { setImmediate as nextTurn } from 'node:timers/promises';

import type { SearchEntry } from '../port.ts';
import { storedOf } from './stored.ts';

/** Entries in one task: Meilisearch begins with the first while the next is made. */
const MOST_ENTRIES = 4000;
/** Bytes in one task, where one entry has not more: Meilisearch takes 100 MiB by default. */
const MOST_BYTES = 16 * 2 ** 20;
/** Entries that are made before others have their turn. */
const SOME = 100;

/** One entry as Meilisearch is sent it. */
interface Text {
  readonly json: string;
  readonly bytes: number;
}

/** What Meilisearch is sent of entries. */
export class Payloads {
  #mostBytes = MOST_BYTES;

  /** The texts for each task. */
  async *of(entries: readonly SearchEntry[]): AsyncGenerator<readonly string[], void> {
    let texts: string[] = [];
    let bytes = 0;
    for (const [at, entry] of entries.entries()) {
      if (at > 0 && at % SOME === 0) await nextTurn();
      const text = textOf(entry);
      const isFull = texts.length === MOST_ENTRIES || bytes + text.bytes > this.#mostBytes;
      if (isFull && texts.length > 0) {
        yield texts;
        [texts, bytes] = [[], 0];
      }
      texts.push(text.json);
      bytes += text.bytes;
    }
    if (texts.length > 0) yield texts;
  }

  /** So many bytes were too much for Meilisearch: later tasks are smaller. */
  wereTooLarge(bytes: number): void {
    this.#mostBytes = Math.min(this.#mostBytes, Math.ceil(bytes / 2));
  }
}

function textOf(entry: SearchEntry): Text {
  const json = JSON.stringify(storedOf(entry));
  return { json, bytes: Buffer.byteLength(json) };
}
