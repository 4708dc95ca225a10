import type { Config } from '../../config.ts';
import type { Health } from '../../projecting/inspect/health.ts';

/** What the thread is started with. */
export interface ThreadInput {
  readonly config: Config;
  readonly acceptGaps: readonly string[];
}

/** What the main thread asks; each question is answered once, under its number. */
export interface Question {
  readonly number: number;
  readonly ask: 'health' | 'metrics' | 'stop';
}

export type ThreadMessage =
  | { readonly kind: 'ready' }
  /** It cannot start, and a person has to fix something first. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'answer'; readonly number: number; readonly value: Health | string | null };
