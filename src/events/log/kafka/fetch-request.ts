import { messageOf, RetryableError } from '../../../platform/errors.ts';
import type { Position } from '../port.ts';
import type { Suspect } from './damage.ts';
import { translateKafka } from './errors.ts';
import type { FetchedRecords } from './fetched-records.ts';

export type FetchResult =
  /** They begin at the position that was asked for. */
  { readonly kind: 'records'; readonly records: FetchedRecords } | OutOfRange;

/** The position is below the earliest or beyond the latest one. */
export interface OutOfRange {
  readonly kind: 'elsewhere';
  readonly earliest: Position;
  readonly latest: Position;
}

/** A position that somebody waits for. */
export interface FetchRequest {
  readonly topic: string;
  readonly partition: number;
  readonly from: Position;
  /** Set where what came could not be read. */
  suspect: Suspect | null;
  /** Not asked for before this moment, by the monotonic clock. */
  notBefore: number;
  readonly give: (fetched: FetchResult) => void;
  readonly fail: (reason: Error) => void;
}

/** A lane that reads already is never told that it is for good. */
export function failRequests(wants: readonly FetchRequest[], thrown: unknown): void {
  const failure = translateKafka('reading', thrown, true);
  const reason =
    failure instanceof RetryableError ? failure : new RetryableError(messageOf(failure), { cause: thrown });
  for (const want of wants) want.fail(reason);
}
