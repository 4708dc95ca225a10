import type { CollectionSpec, Stored, Version } from '../stores/documents/port.ts';

/** One document for each key and UTC day: `2026-11-20/k_...`. */
export const QUOTA: CollectionSpec = { name: 'quota', indexes: [['key', 'day']] };

/**
 * How many requests each writer (a process, under a random name of its own) has counted. Only the writer changes its
 * share, so reading the document tells a writer whether a write of its own was applied, whoever has written since.
 * What is used is the sum of the shares.
 */
export interface QuotaDay {
  readonly key: string;
  readonly day: string;
  readonly shares: Readonly<Record<string, number>>;
}

/** What one writer knows of a document, and what it wants it to say. */
export interface Counter {
  readonly id: string;
  readonly key: string;
  readonly day: string;
  /** The version last read or written (null: absent); undefined where the document must be read first. */
  version: Version | null | undefined;
  /** The other writers' shares. */
  others: Readonly<Record<string, number>>;
  othersUsed: number;
  /** The own share as the store has it. */
  stored: number;
  /** The own share as it shall be: granted and not given back. null: whatever the store has. */
  own: number | null;
  /** Given back, and not yet taken off `own`. */
  owed: number;
}

export function counterId(key: string, day: string): string {
  return `${day}/${key}`;
}

export function newCounter(key: string, day: string): Counter {
  return {
    id: counterId(key, day),
    key,
    day,
    version: undefined,
    others: {},
    othersUsed: 0,
    stored: 0,
    own: null,
    owed: 0,
  };
}

/** Takes over what the store has; the writer's own wish stands. */
export function learn(counter: Counter, writer: string, document: Stored<QuotaDay> | undefined): void {
  const { [writer]: stored = 0, ...others } = document?.body.shares ?? {};
  counter.version = document?.version ?? null;
  counter.others = others;
  counter.othersUsed = Object.values(others).reduce((sum, share) => sum + share, 0);
  counter.stored = stored;
}

/** The own share that is wanted before any new request is counted. */
export function wanted(counter: Counter): number {
  return Math.max(0, (counter.own ?? counter.stored) - counter.owed);
}

/** The document with another own share. A writer that has nothing counted leaves no trace. */
export function withShare(counter: Counter, writer: string, share: number): QuotaDay {
  const shares = share === 0 ? counter.others : { ...counter.others, [writer]: share };
  return { key: counter.key, day: counter.day, shares };
}

/** Whether forgetting the counter loses nothing: the store has it all. */
export function isSettled(counter: Counter): boolean {
  return counter.owed === 0 && (counter.own === null || counter.own === counter.stored);
}
