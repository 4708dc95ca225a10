import type { TopicSettings, TopicSpec } from '../events/log/port.ts';
import { duration } from '../platform/text/format.ts';
import { commandLine } from '../platform/text/command-line.ts';

/** What of a topic is not as the contract wants it, and what to do about it. */
export function differencesOf(wanted: TopicSpec, settings: TopicSettings | null): readonly string[] {
  if (!settings) return [`it does not exist. Create it: ${commandLine('doctor topics --create')}`];
  const differences = [...settings.remarks];
  if (settings.partitions < wanted.partitions) {
    differences.push(
      `it has ${settings.partitions} partitions, expected ${wanted.partitions}: no more processes than that can share the work.`,
    );
  }
  if (isShorter(settings.retentionMs, wanted.retentionMs)) {
    differences.push(
      `its records are kept for ${retention(settings.retentionMs)}, expected ${retention(wanted.retentionMs)}: what is cut is lost to a rebuild.`,
    );
  }
  return differences;
}

/** More partitions and a longer retention do no harm; null is for ever. */
function isShorter(kept: number | null, wanted: number | null): boolean {
  return kept !== null && (wanted === null || kept < wanted);
}

/** For people. */
export function retention(ms: number | null): string {
  return ms === null ? 'ever' : duration(ms);
}
