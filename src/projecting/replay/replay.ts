import type { Decode } from '../../events/decode.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { Shadow } from '../../stores/shadows.ts';
import type { Projection } from '../engine/projection.ts';
import type { Portion } from './records.ts';

export interface ReplayParts {
  readonly documents: Documents;
  /** For a projection that has no decoder of its own. */
  readonly decode: Decode;
  /** Aborting it ends the replay, and takes away what it has written. */
  readonly signal: AbortSignal;
  readonly onProgress?: {
    /** Of the history, with what lies outside of the bounds. */
    readonly folded: (records: number) => void;
    readonly written: (documents: number, total: number) => void;
  };
}

export interface Replay {
  /** What makes the documents; see `asShadow`. */
  readonly projection: Projection;
  /** What is kept with them. */
  readonly told: Pick<Shadow, 'source' | 'from' | 'until' | 'formula'>;
  /** Whether what is read is not all of history. */
  readonly isCut: boolean;
  /** All records between the bounds. */
  readonly portions: AsyncIterable<Portion>;
}
