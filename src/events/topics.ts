import { CATEGORIES } from './categories.ts';
import { ENTRIES } from './entries.ts';
import type { TopicSpec } from './log/port.ts';
import { METRICS } from './metrics.ts';
import { PROBES, TARGETS } from './monitor.ts';

/** Where upstream reads what was refused, and why. */
export const REJECTED = 'catalog.rejected';

const DAY_MS = 86_400_000;

/** Names without the configured prefix. */
export const TOPICS: readonly TopicSpec[] = [
  topic(ENTRIES, null),
  topic(METRICS, null),
  topic(CATEGORIES, null),
  topic(TARGETS, null),
  topic(PROBES, 100 * DAY_MS),
  topic(REJECTED, 30 * DAY_MS),
];

function topic(name: string, retentionMs: number | null): TopicSpec {
  return { name, partitions: 6, retentionMs };
}
