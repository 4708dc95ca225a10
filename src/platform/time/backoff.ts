/**
 * The pause before the next attempt, in milliseconds: doubled after each one up to the longest, and drawn from the upper
 * half of that, so that those that failed together do not come back at the same moment. `attempt` counts from 1.
 */
export function backoff(
  attempt: number,
  firstMs: number,
  longestMs: number,
  random: () => number = Math.random,
): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 16)) * (0.5 + random() / 2);
}
