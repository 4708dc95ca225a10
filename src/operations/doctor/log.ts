import { counted, duration } from '../../texts/english-amounts.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import type { Parts } from '../../compose/parts.ts';
import { ENTRIES } from '../../events/entry-events.ts';
import type { LogRecord, TopicSettings, TopicSpec } from '../../events/log/port.ts';
import { REJECTED, TOPICS } from '../../events/types.ts';
import { messageOf, PermanentError } from '../../platform/errors.ts';
import {
  judgeClock,
  notChecked,
  ok,
  problem,
  reachCheck,
  warning,
  type Area,
  type Check,
  type Look,
} from './check.ts';

const REACH_HINT =
  'Is the log running, and CATALOG_LOG_URL right (address, TLS, user, password)? See docs/reference/log.md.';
const READ_HINT =
  'Give the user of this process the right to read the topic: docs/guides/deploy.md has the ACLs.';

/** Whether the log answers, and each topic's settings are those of the contract. */
export const topicsArea: Area = { name: 'log', store: 'log', roles: ['project'], checks: topicChecks };

/** The same, and whether a record of each topic can be read. */
export const logArea: Area = {
  ...topicsArea,
  checks: (parts) => {
    const { log, clock, config, topicName } = parts;
    const read = TOPICS.map(({ name }) => topicName(name)).filter((name) => name !== topicName(REJECTED));
    const newest: number[] = [];
    return [
      ...topicChecks(parts),
      ...read.map((name) => ({
        name: `may read ${name}`,
        hint: READ_HINT,
        look: async () => {
          // That it is missing is told already.
          if ((await log.partitionCount(name).catch(() => 0)) === 0) return null;
          const record = await lastRecord(parts, name);
          if (record) newest.push(record.timestamp);
          return ok(record ? 'a record was read.' : 'it is empty; its ends can be read.');
        },
      })),
      { name: 'partitions', hint: REACH_HINT, look: () => lookAtPartitions(parts, read) },
      {
        name: 'clock',
        // It cannot be asked. Its newest record may not be from the future.
        look: () => {
          if (config.logUrl.scheme === 'sqlite') return ok('it is on this machine.');
          if (newest.length === 0) return notChecked('no record tells the time of the log.');
          return judgeClock(Math.max(0, Math.max(...newest) - clock.now()));
        },
      },
    ];
  },
};

function topicChecks({ log, config, topicName }: Parts): readonly Check[] {
  return [
    reachCheck(config.logUrl.scheme, REACH_HINT, () => log.partitionCount(topicName(ENTRIES))),
    ...TOPICS.map((topic) => ({
      name: `topic ${topicName(topic.name)}`,
      look: () => lookAtSettings(() => log.topicSettings(topicName(topic.name)), topic),
    })),
  ];
}

async function lookAtSettings(read: () => Promise<TopicSettings | null>, wanted: TopicSpec): Promise<Look> {
  try {
    const settings = await read();
    if (!settings) return problem('it does not exist.', commandLine('doctor topics --create'));
    const differences = differencesOf(wanted, settings);
    if (differences.length > 0)
      return problem(differences.join(' '), 'Change the topic with the tools of the log.');
    return (
      weaknessOf(settings.durability) ??
      ok(`${settings.partitions} partitions, settings as the contract wants them.`)
    );
  } catch (thrown) {
    // No process that this is asked for needs the right.
    return notChecked(
      thrown instanceof PermanentError
        ? `this user may not read its settings, and needs not: run "${commandLine('doctor topics')}" as one that may.`
        : `its settings cannot be read: ${messageOf(thrown)}`,
    );
  }
}

/** What of a topic is not as the contract wants it. */
function differencesOf(wanted: TopicSpec, settings: TopicSettings): readonly string[] {
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

function retention(ms: number | null): string {
  return ms === null ? 'ever' : duration(ms);
}

/** What may lose records, or stop appends, when a broker is lost. */
function weaknessOf(durability: TopicSettings['durability']): Look | null {
  if (!durability) return null;
  const { replicas, minInSync } = durability;
  if (replicas >= 2 && (minInSync === null || (minInSync >= 2 && minInSync < replicas))) return null;
  return warning(
    `with ${counted(replicas, 'replica')} and min.insync.replicas=${minInSync ?? 1}, the loss of a broker loses records that were acknowledged, or stops appends.`,
    'Give it 3 replicas and min.insync.replicas=2.',
  );
}

async function lookAtPartitions({ log }: Parts, topics: readonly string[]): Promise<Look | null> {
  const counts = await Promise.all(topics.map((name) => log.partitionCount(name).catch(() => 0)));
  if (new Set(counts.filter((count) => count > 0)).size <= 1) return null;
  return warning(
    `topics differ: ${topics.map((name, at) => `${name} ${counts[at]}`).join(', ')}. Workers of one document get into each other's way.`,
    'Give all topics the number of the largest.',
  );
}

const READ_MS = 10_000;
/** The last positions may be those of a transaction's end, which are no records. */
const LAST = 10;

/** One of the newest records that can be read; null where the topic is empty. */
async function lastRecord({ log }: Parts, topic: string): Promise<LogRecord | null> {
  const signal = AbortSignal.timeout(READ_MS);
  for (const { partition, earliest, latest, readable = latest } of await log.ends(topic)) {
    if (readable <= earliest) continue;
    const from = Math.max(earliest, readable - LAST);
    for await (const { records } of log.read({ topic, partition, from, to: readable, signal })) {
      const last = records.at(-1);
      if (last) return last;
    }
  }
  return null;
}
