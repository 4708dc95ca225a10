import { listings } from '../../projections/listings/index.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { startChild } from '../child-process.ts';

/** One kind of projecting, alone in a process of its own. */
export type Mode = 'projector' | 'documents' | 'naive' | 'build';

export interface Measured {
  readonly events: number;
  /** Of the work alone, without what prepares it. */
  readonly tookMs: number;
  /** Of all threads. */
  readonly cpuMs: number;
  /** The most memory that the process has had, in bytes. */
  readonly peak: number;
}

/** What `build` makes, and nobody sees yet. */
export const BUILD = { ...listings, build: 'built' } as Projection;

/** The environment has the configuration. */
export async function measureIn(env: Readonly<Record<string, string>>, mode: Mode): Promise<Measured> {
  await using child = startChild('projecting/child.ts', { arguments: [mode], env });
  return await child.ask<Measured>('begin');
}
