import type { Request } from '../load/messages.ts';

/** What a measured process says once it listens. */
export interface Ready {
  readonly port: number;
  /** API keys, where it knows any. */
  readonly keys: readonly string[];
}

/** What it has used since it began. */
export interface Used {
  readonly cpuMs: number;
  /** Calls of stores, where it has any. */
  readonly storeOperations: number;
}

/** What is asked in a slice: each request in its turn, over and over. */
export type Asked = readonly Request[];
