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
  const total = own.reduce((sum, { earliest, latest }) => sum + latest - earliest, 0);
  const left = own.reduce((sum, { lag }) => sum + lag, 0);
  // Of an empty log nothing is left to do.
  return { share: total === 0 ? 1 : Math.max(0, total - left) / total, left, lag_ms };
}
