import { shareOf } from '../projecting/inspect/build-metrics.ts';
import type { StatusReport } from './status.ts';

/** How far a build is through the log. */
export interface BuildProgress {
  /** From 0 to 1: the share of the log that its lanes have consumed; null where this process does not see the log. */
  readonly share: number | null;
  /** Records that it has still to take in; null likewise. */
  readonly left: number | null;
  /** How long the oldest of them has been waiting, as projectors say; null without any, and where nobody says it. */
  readonly lag_ms: number | null;
}

export function buildProgress(
  build: string,
  report: Pick<StatusReport, 'lanes' | 'read_models'> | null,
): BuildProgress {
  const lag_ms = report?.read_models.find(({ read_model }) => read_model === build)?.lag_ms ?? null;
  const own = report?.lanes.filter(({ lane }) => lane.startsWith(`${build}/`)) ?? [];
  if (own.length === 0) return { share: null, left: null, lag_ms };
  return { share: shareOf(own), left: own.reduce((sum, { lag }) => sum + lag, 0), lag_ms };
}
