import type { Clock } from '../../../platform/clock.ts';
import { Stopped } from '../../../projecting/engine/retry.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import { isOnTerminal, printStream } from '../../output.ts';
import { showProgress } from '../../progress.ts';
import { lineOf } from './line.ts';
import { countingOf, type DiffOptions } from './options.ts';
import { readComparisons } from './reading.ts';
import { readRanked } from './score.ts';
import { sumUp, type Summing } from './summary.ts';

export interface AllParts {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly before: string;
  readonly after: string;
  /** Whether the read model has ranks. */
  readonly isWithRanks: boolean;
}

/**
 * Reads both builds to their ends, and sums them up. With --ndjson each difference is printed before more is read.
 * @throws {Stopped} where the signal was aborted.
 */
export async function readAll(
  { isWithRanks, clock, ...parts }: AllParts,
  options: DiffOptions,
): Promise<Summing> {
  const { ndjson, top, fields = null } = options;
  const { before, after, signal } = parts;
  // Where the lines themselves are on the terminal, nothing is written between them.
  using progress = ndjson && isOnTerminal() ? null : showProgress('documents read');
  const ranked = isWithRanks ? await readRanked(parts.documents, before, after) : null;
  const compared_at = new Date(clock.now()).toISOString();
  const summing = sumUp({ before, after, compared_at, fields, top, ranked: isWithRanks });
  for await (const batch of readComparisons({ ...parts, progress }, countingOf(options), ranked)) {
    for (const comparison of batch) summing.add(comparison);
    const lines = ndjson ? batch.map(lineOf).filter((line) => line !== null) : [];
    if (lines.length === 0) continue;
    const written = await printStream(lines, signal, () => undefined);
    if (written === 'stopped') throw new Stopped('diff: stopped');
  }
  return summing;
}
