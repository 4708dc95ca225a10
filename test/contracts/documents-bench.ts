import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { expect } from 'vitest';

import {
  newVersion,
  type Documents,
  type Index,
  type Page,
  type Query,
  type Write,
} from '../../src/stores/documents/port.ts';

/** What the documents contract is written with. */

/** What a store offers to the suite. Every client is on the same storage; the suite disposes of what it opens. */
export interface DocumentsFactory {
  /** A new client. */
  open(): Promise<Documents>;
  /** A new client whose next write or removal is applied, and whose answer to it is lost. */
  openInterrupted(): Promise<Documents>;
  /** Makes writing impossible for every client until healed; a client gives up within a test's time. */
  cut(): Promise<{ heal(): Promise<void> }>;
}

/** Opens clients and collections for one test. */
export interface Bench {
  readonly client: () => Promise<Documents>;
  readonly clients: (count: number) => Promise<readonly [Documents, ...Documents[]]>;
  readonly interrupted: () => Promise<Documents>;
  readonly cut: () => Promise<{ heal(): Promise<void> }>;
  /** A collection of a name that no other test has. */
  readonly collection: (documents: Documents, ...indexes: readonly Index[]) => Promise<string>;
  /** A client with such a collection. */
  readonly made: (
    ...indexes: readonly Index[]
  ) => Promise<{ readonly documents: Documents; readonly name: string }>;
}

/** What most tests write. */
export interface Counter {
  readonly n: number;
}

/** A write of a fresh token. */
export function writing<Body>(id: string, body: Body, read: string | null = null): Write<Body> {
  return { id, read, version: newVersion(), body };
}

export async function bodyOf(documents: Documents, collection: string, id: string): Promise<unknown> {
  return (await documents.get(collection, [id])).get(id)?.body;
}

/** Ids in ascending order. */
export function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `id-${String(at).padStart(5, '0')}`);
}

/** Three processes add to one document, each so many times, and kill themselves: what was acknowledged is there. */
export async function expectAddedByProcesses(
  documents: Documents,
  place: string,
  times: number,
): Promise<void> {
  const name = 'processes';
  await documents.declare({ name, indexes: [] });
  const script = fileURLToPath(new URL('../support/document-incrementer.ts', import.meta.url));
  const args = [script, place, name, 'sum', String(times)];
  const processes = [1, 2, 3].map(() => once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit'));
  const killed = [null, 'SIGKILL'];
  expect(await Promise.all(processes)).toEqual([killed, killed, killed]);
  expect(await bodyOf(documents, name, 'sum')).toEqual({ n: 3 * times });
}

/** Every page of a query, one after the other: the ids. The order is theirs. */
export async function walk(
  documents: Documents,
  collection: string,
  query: Query,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: string | null = ''; after !== null;) {
    const page: Page<unknown> = await documents.find(collection, { ...query, after });
    ids.push(...page.documents.map(({ id }) => id));
    after = page.next;
    if (ids.length > 10_000) throw new Error('The pages never end');
  }
  return ids;
}

/** Creates documents: bodies by id. */
export async function fill(
  documents: Documents,
  collection: string,
  bodies: Readonly<Record<string, object>>,
): Promise<void> {
  await documents.write(
    collection,
    Object.entries(bodies).map(([id, body]) => writing(id, body)),
  );
}
