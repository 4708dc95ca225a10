import type { Access } from '../../../platform/sqlite.ts';
import type { Applied, Content, Hits, SearchEntry, SearchQuery } from '../port.ts';

/** What a client and its worker thread say to each other. */

export interface WorkerInput {
  readonly path: string;
  readonly access?: Access | undefined;
  readonly patienceMs: number;
}

/** The calls that the thread answers, by name: what each is given and what it gives back. */
export interface Calls {
  readonly declare: { readonly given: { readonly index: string }; readonly gives: null };
  readonly put: {
    readonly given: { readonly index: string; readonly entries: readonly SearchEntry[] };
    readonly gives: Applied;
  };
  readonly remove: {
    readonly given: { readonly index: string; readonly ids: readonly string[] };
    readonly gives: Applied;
  };
  readonly seal: {
    readonly given: { readonly index: string; readonly seal: string; readonly without: readonly string[] };
    readonly gives: null;
  };
  readonly seals: {
    readonly given: { readonly index: string };
    readonly gives: readonly string[] | null;
  };
  readonly query: {
    readonly given: { readonly index: string; readonly query: SearchQuery };
    readonly gives: Hits;
  };
  readonly contents: {
    /** `after` is the id to go on behind; empty at the beginning. */
    readonly given: { readonly index: string; readonly after: string };
    readonly gives: readonly Content[];
  };
  readonly indexes: { readonly given: null; readonly gives: readonly string[] };
  readonly drop: { readonly given: { readonly index: string }; readonly gives: null };
  readonly check: { readonly given: null; readonly gives: null };
  readonly close: { readonly given: null; readonly gives: null };
}

export type CallName = keyof Calls;

/** Each is answered once, under its number. */
export type Call = {
  readonly [Name in CallName]: {
    readonly number: number;
    readonly name: Name;
    readonly given: Calls[Name]['given'];
    /** Unix milliseconds after which nobody waits for the answer any more; null where somebody always does. */
    readonly deadline: number | null;
  };
}[CallName];

export type Answer =
  | { readonly number: number; readonly outcome: 'done'; readonly value: unknown }
  | { readonly number: number; readonly outcome: 'failed'; readonly error: Failure };

/** An error of ours on its way between threads, which keep no classes. */
export interface Failure {
  readonly kind: 'retryable' | 'permanent' | 'fault';
  readonly message: string;
  readonly cause: unknown;
}
