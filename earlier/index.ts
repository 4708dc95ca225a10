import type { Decode } from '../src/events/decode.ts';
import type { Projection } from '../src/projecting/engine/projection.ts';
import * as listings1 from './listings@1.js';

/**
 * The fold of an earlier release, in one file with all that it uses: so that one process keeps the live build going
 * while it makes the next one, and can go back. `npm run freeze` makes it. Today's engine runs it (docs/design/builds.md).
 */
export interface EarlierFold {
  readonly projection: Projection;
  /** Of its own schemas. A prefix may stand before the names of topics. */
  readonly createDecode: (options: { readonly topicPrefix: string }) => Decode;
}

const KEPT: readonly unknown[] = [listings1];

/** The folds of earlier releases that this one still has. */
export const EARLIER = KEPT as readonly EarlierFold[];
