import { changeDocument, removeDocument } from './documents/change.ts';
import type { CollectionSpec, Documents } from './documents/port.ts';

/**
 * What processes say of themselves: one small document for each, said again every few seconds. A process that has died is told
 * by its silence.
 */
export interface Word {
  /** When it was said, by the store's clock: Unix milliseconds. */
  readonly at: number;
}

/** Words are said every three seconds: a process that has missed several turns is not there. */
export const SILENT_MS = 15_000;

/** Whether its process is there, at a moment of the store's clock. A word from the future is that of a clock that was put back. */
export function isAlive({ at }: Word, now: number): boolean {
  return Math.abs(now - at) < SILENT_MS;
}

/** The words of every process that has not said that it leaves, by its name. */
export async function readWords<Said extends Word>(
  documents: Pick<Documents, 'scan'>,
  { name }: CollectionSpec,
): Promise<ReadonlyMap<string, Said>> {
  const found = new Map<string, Said>();
  for await (const batch of documents.scan<Said>(name)) {
    for (const { id, body } of batch) found.set(id, body);
  }
  return found;
}

/** One process's word, written under its name. */
interface Voice<Said> {
  say(word: Said): Promise<void>;
  /** Forgets the word: the process leaves. */
  leave(): Promise<void>;
}

export function openVoice<Said extends Word>(
  documents: Pick<Documents, 'get' | 'write' | 'remove'>,
  { name: collection }: CollectionSpec,
  name: string,
): Voice<Said> {
  return {
    // Whatever stands there is of this process, or of nobody any more.
    say: async (body) => void (await changeDocument(documents, collection, name, () => body)),
    leave: () => removeDocument(documents, collection, name),
  };
}

/** How long the word of a process that died is kept, for people who look for it. */
const KEPT_MS = 3_600_000;

/** Removes the words of processes that died long ago. */
export async function sweepWords(documents: Documents, { name }: CollectionSpec): Promise<void> {
  const now = await documents.now();
  for await (const batch of documents.scan<Word>(name)) {
    const dead = batch.filter(({ body }) => now - body.at > KEPT_MS);
    if (dead.length > 0)
      await documents.remove(
        name,
        dead.map(({ id, version }) => ({ id, read: version })),
      );
  }
}
