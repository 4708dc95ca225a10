/** What a counting process is told, and what it answers. */

export interface Run {
  /** `allotments`: the quota as it is shipped. `increments`: one atomic increment in the store for each request. */
  readonly how: 'allotments' | 'increments';
  readonly keys: readonly string[];
  /** So many requests are under way at all times. */
  readonly atOnce: number;
  /** Ends when one of them is reached. */
  readonly durationMs: number;
  readonly requests: number;
  /** Requests per key and day. */
  readonly limit: number;
  /** Whether every request is given back, as after a 304. */
  readonly givesBack: boolean;
}

export interface Counted {
  readonly requests: number;
  readonly granted: number;
  /** Calls of the store. */
  readonly operations: number;
  readonly tookMs: number;
}
