/** What the load process is told, and what it answers. */

export type ToLoad =
  | Setup
  | { readonly kind: 'keys'; readonly keys: readonly string[] }
  | { readonly kind: 'end' };

export interface Setup {
  readonly kind: 'setup';
  readonly port: number;
  readonly keys: readonly string[];
  readonly slugs: readonly string[];
  readonly assets: readonly string[];
  /** The largest of them. */
  readonly largest: string;
}

/** Since the beginning. */
export interface Progress {
  readonly requests: number;
  /** Requests whose connection ended before the answer. */
  readonly broken: number;
  readonly statuses: Readonly<Record<number, number>>;
  readonly keysLeft: number;
}
