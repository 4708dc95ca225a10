import type { TopicSettings } from '../port.ts';

/** The settings that a topic is created with, by Kafka's own names. */
export function configOf(retentionMs: number | null): { name: string; value: string }[] {
  const config = { ...EXPECTED, 'retention.ms': String(retentionMs ?? -1) };
  return Object.entries(config).map(([name, value]) => ({ name, value }));
}

/** @param copies how many replicas each partition has. */
export function settingsOf(
  partitions: number,
  config: ReadonlyMap<string, string>,
  copies: readonly number[],
): TopicSettings {
  const retentionMs = Number(config.get('retention.ms') ?? -1);
  const minInSync = config.get('min.insync.replicas');
  return {
    partitions,
    retentionMs: retentionMs < 0 ? null : retentionMs,
    remarks: remarksOn(config),
    durability: {
      replicas: Math.min(...copies),
      minInSync: minInSync === undefined ? null : Number(minInSync),
    },
  };
}

/**
 * The time of the append is the broker's: a publisher with a wrong clock must not decide what counts as too late.
 * Compaction keeps the last offset of a key, the read models the highest revision, which may be another record.
 */
const EXPECTED: Readonly<Record<string, string>> = {
  'message.timestamp.type': 'LogAppendTime',
  'cleanup.policy': 'delete',
  'retention.bytes': '-1',
};

const REASONS: Readonly<Record<string, string>> = {
  'message.timestamp.type': 'else the publisher’s clock says when a record arrived',
  'cleanup.policy': 'compaction may drop a record that a rebuild needs',
  'retention.bytes': 'a limit in bytes cuts the log before its time',
};

function remarksOn(config: ReadonlyMap<string, string>): readonly string[] {
  return Object.entries(EXPECTED)
    .filter(([name, expected]) => config.has(name) && config.get(name) !== expected)
    .map(([name, expected]) => `${name} is ${config.get(name)}, expected ${expected}: ${REASONS[name]}`);
}
