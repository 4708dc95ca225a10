/** What a load process is told, and what it answers. */

export interface Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Setup {
  readonly kind: 'setup';
  readonly port: number;
  readonly requests: readonly Request[];
  /** Which of them are sent, one after the other, where many are sent more than once. Default: each in its turn. */
  readonly order?: Uint32Array | undefined;
}

export interface Run {
  readonly kind: 'run';
  /** The first request; the others follow, round and round. */
  readonly from: number;
  readonly durationMs: number;
  /**
   * `perSecond`: sent at this rate, whatever the answers take (open loop). `atOnce`: so many under way at all times (closed
   * loop).
   */
  readonly load: { readonly perSecond: number } | { readonly atOnce: number };
}

export interface Measured {
  /** Which request each answer belongs to, by its place in the order. */
  readonly indexes: Uint32Array;
  /** From sending to the last byte, in milliseconds; in an open loop, from when it was due. */
  readonly latencies: Float64Array;
  /** How often each was answered; 0 where the connection ended before the answer. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly tookMs: number;
}
