import { hostname } from 'node:os';

import { instantAt, type Instant } from '../platform/time/instant.ts';
import { changeDocument } from '../stores/documents/change-document.ts';
import { newVersion, type CollectionSpec, type Documents, type Query } from '../stores/documents/port.ts';
import type { VerifyReport } from './verify.ts';

/**
 * What operators have done on the operator page, one document each. It is written before the act begins, so that nothing is
 * done without a note; while the act is under way it is written again every few seconds; the last write says what came of it.
 */
export const ACTS: CollectionSpec = { name: 'operator-acts', indexes: [['at'], ['kind', 'at']] };

export const ACT_KINDS = ['redrive', 'redrive_all', 'cut_over', 'rollback', 'cancel', 'verify'] as const;

/** What an operator asks for. `subject`: an event, a topic and a code with a space between them, a read model, or a build. */
export interface Act {
  readonly kind: (typeof ACT_KINDS)[number];
  readonly subject: string;
  /** Of a cut-over: the build to be made live. */
  readonly to?: string;
}

/** What came of an act, as facts: the operator page says them in its language. `reason` is a program's own words, in English. */
export type ActResult =
  | {
      readonly code: 'redriven';
      readonly redriven: number;
      readonly still_rejected: number;
      readonly gone: number;
      readonly chosen: number;
      /** Why the first of those that are still rejected is; null where none is. */
      readonly first: string | null;
    }
  | { readonly code: 'live'; readonly live: string; readonly from: string }
  | { readonly code: 'removed'; readonly build: string }
  | { readonly code: 'equal' | 'differs' }
  | { readonly code: 'refused' | 'failed' | 'fault'; readonly reason: string };

export interface ActBody extends Act {
  /** By the store's clock. */
  readonly at: Instant;
  /** `host:pid` */
  readonly where: string;
  /**
   * `refused`: it cannot be done now, as `result` tells. `failed`: a store, or a fault of ours. `broken_off`: its process was told to
   * stop before it was done.
   */
  readonly state: 'running' | 'done' | 'refused' | 'failed' | 'broken_off';
  /** When it was last written, Unix milliseconds of the store's clock. */
  readonly heard: number;
  readonly done: number;
  readonly total: number | null;
  /** What came of it; absent while it is under way, and where it was broken off. */
  readonly result?: ActResult;
  /** Of a verification that has ended. */
  readonly report?: VerifyReport;
}

/** An act as it is shown. One that was not heard of for long is broken off, too: its process has ended. */
export interface ActView extends ActBody {
  readonly id: string;
}

/** An act under way says so this often, and is given up after so long, in milliseconds. */
export const SAY_MS = 3000;
const LOST_MS = 30_000;
/** Notes that are kept, and more than concurrent ones leave behind. */
const KEPT = 500;
const SWEPT = 50;

export async function beginNote(documents: Documents, act: Act) {
  const now = await documents.now();
  const at = instantAt(now);
  const where = `${hostname()}:${process.pid}`;
  let body: ActBody = { ...act, at, where, state: 'running', heard: now, done: 0, total: null };
  const id = `${at}-${newVersion()}`;
  await changeDocument(documents, ACTS.name, id, () => body);
  await sweep(documents);
  return {
    /** Writes how far it has come, or what came of it. */
    async say(change: Partial<Omit<ActBody, 'at' | 'where' | 'heard' | keyof Act>>): Promise<void> {
      body = { ...body, ...change, heard: await documents.now() };
      // Whatever stands there is of this process.
      await changeDocument(documents, ACTS.name, id, () => body);
    },
  };
}

async function sweep(documents: Documents): Promise<void> {
  const query = { where: {}, order: ['-at'], limit: KEPT + SWEPT };
  const { documents: found } = await documents.find(ACTS.name, query);
  const old = found.slice(KEPT).map(({ id, version }) => ({ id, read: version }));
  if (old.length > 0) await documents.remove(ACTS.name, old);
}

/** The verification that was begun last, and the last one that has a result; null where there was none. */
export async function readVerification(
  documents: Documents,
): Promise<{ readonly last: ActView | null; readonly ended: ActView | null }> {
  const all = await readActs(documents, 20, { kind: 'verify' });
  return { last: all[0] ?? null, ended: all.find(({ report }) => report !== undefined) ?? null };
}

/** The newest first. */
export async function readActs(
  documents: Documents,
  limit: number,
  where: Query['where'] = {},
): Promise<readonly ActView[]> {
  const now = await documents.now();
  const { documents: found } = await documents.find<ActBody>(ACTS.name, { where, order: ['-at'], limit });
  return found.map(({ id, body }) => {
    // Heard far in the future: the store's clock was put back since, and who still works has spoken again after that.
    const isLost = body.state === 'running' && Math.abs(now - body.heard) > LOST_MS;
    return { ...body, id, state: isLost ? 'broken_off' : body.state };
  });
}
