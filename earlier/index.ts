import type { Decode } from '../src/events/decode.ts';
import type { Projection } from '../src/projecting/engine/projection.ts';
import { listings1 } from './listings@1/index.ts';

/**
 * The fold of an earlier release, with copies of all that it is made of: so that one process keeps the live build going
 * while it makes the next one, and can go back. `npm run freeze` makes it. Today's engine runs it (docs/decisions/0112).
 */
export interface EarlierFold {
  readonly projection: Projection;
  /** Of its own schemas. A prefix may stand before the names of topics. */
  readonly createDecode: (options: { readonly topicPrefix: string }) => Decode;
  /** The folder that its copies stand in, laid out as this project is. */
  readonly root: URL;
}

/** The folds of earlier releases that this one still has. */
export const EARLIER: readonly EarlierFold[] = [listings1];
