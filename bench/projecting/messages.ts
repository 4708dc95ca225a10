import type { Folded } from './fold-all.ts';

/** What a process that projects is told to do, and what it answers. */

export type Mode = 'projector' | 'documents' | 'naive';

export interface Measured {
  readonly events: number;
  /** Of the work alone, without what prepares it. */
  readonly tookMs: number;
  /** Of all threads. */
  readonly cpuMs: number;
  /** The most memory that the process has had, in bytes. */
  readonly peak: number;
}

export interface Built extends Folded {
  /** The most memory that the process has had, in bytes. */
  readonly peak: number;
}
