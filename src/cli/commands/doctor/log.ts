import { commandLine } from '../../../platform/command-line.ts';
import type { Parts } from '../../../compose/parts.ts';
import type { LogRecord, TopicSettings } from '../../../events/log/port.ts';
import { REJECTED, TOPICS } from '../../../events/types.ts';
import { messageOf, PermanentError } from '../../../platform/errors.ts';
import { judgeClock, type Area } from './report.ts';
import { differencesOf } from '../topics.ts';

const REACH =
  'Is the log running, and CATALOG_LOG_URL right (address, TLS, user, password)? See docs/reference/log.md.';
const READ = 'Give the user of this process the right to read the topic: docs/guides/deploy.md has the ACLs.';

/** Reaches the log, looks at each topic's settings, and reads a record of each. False where it is not reached. */
export async function checkLog(
  parts: Parts,
  { log: area, clocks }: { readonly log: Area; readonly clocks: Area },
): Promise<boolean> {
  const { log, config, topicName } = parts;
  const first = topicName(TOPICS[0]?.name ?? REJECTED);
  const isReached = await area.attempt('reached', REACH, async () => {
    await log.partitionCount(first);
    area.ok('reached', `${config.logUrl.scheme} answers.`);
  });
  if (!isReached) return false;
  const counts = new Map<string, number>();
  let newest: number | null = null;
  for (const topic of TOPICS) {
    const name = topicName(topic.name);
    const partitions = await log.partitionCount(name).catch(() => 0);
    counts.set(name, partitions);
    await checkSettings(area, name, () => log.topicSettings(name), topic);
    if (partitions === 0 || topic.name === REJECTED) continue;
    await area.attempt(`may read ${name}`, READ, async () => {
      const record = await lastRecord(parts, name);
      area.ok(`may read ${name}`, record ? 'a record was read.' : 'it is empty; its ends can be read.');
      if (record) newest = Math.max(newest ?? 0, record.timestamp);
    });
  }
  const sizes = [...counts].filter(([name, count]) => count > 0 && name !== topicName(REJECTED));
  if (new Set(sizes.map(([, count]) => count)).size > 1)
    area.warning(
      'partitions',
      `topics differ: ${sizes.map(([name, count]) => `${name} ${count}`).join(', ')}. Workers of one document get into each other's way.`,
      'Give all topics the number of the largest.',
    );
  area.notChecked(
    `may write ${topicName(REJECTED)}`,
    'it cannot be tried without leaving a record; a projector says in its log where it may not.',
  );
  checkClock(parts, clocks, newest);
  return true;
}

async function checkSettings(
  area: Area,
  name: string,
  read: () => Promise<TopicSettings | null>,
  wanted: (typeof TOPICS)[number],
): Promise<void> {
  try {
    const settings = await read();
    if (!settings) return area.problem(`topic ${name}`, 'it does not exist.', commandLine('topics create'));
    const differences = differencesOf(wanted, settings);
    const hint = 'Change the topic with the tools of the log.';
    for (const difference of differences) area.problem(`topic ${name}`, difference, hint);
    const weakness = weaknessOf(settings.durability);
    if (weakness) area.warning(`topic ${name}`, ...weakness);
    else if (differences.length === 0)
      area.ok(`topic ${name}`, `${settings.partitions} partitions, settings as the contract wants them.`);
  } catch (thrown) {
    // No process that this is asked for needs the right.
    const reason =
      thrown instanceof PermanentError
        ? `this user may not read its settings, and needs not: "${commandLine('topics check')}" compares them as one that may.`
        : `its settings cannot be read: ${messageOf(thrown)}`;
    area.notChecked(`topic ${name}`, reason);
  }
}

/** What may lose records, or stop appends, when a broker is lost; and what to do. */
function weaknessOf(
  durability: TopicSettings['durability'],
): readonly [message: string, hint: string] | null {
  if (!durability) return null;
  const { replicas, minInSync } = durability;
  if (replicas < 2)
    return [
      'it has one replica: the loss of a broker loses records that were acknowledged.',
      'Give it 3 replicas and min.insync.replicas=2.',
    ];
  if (minInSync === null) return null;
  if (minInSync < 2)
    return [
      `min.insync.replicas is ${minInSync}: an append may be acknowledged by one broker alone.`,
      'Set it to 2, with 3 replicas.',
    ];
  if (minInSync < replicas) return null;
  return [
    `min.insync.replicas is ${minInSync} of ${replicas} replicas: no append is taken while one broker is away.`,
    'Have one replica more than min.insync.replicas.',
  ];
}

/** One of the newest records that can be read; null where the topic is empty. */
async function lastRecord({ log }: Parts, topic: string): Promise<LogRecord | null> {
  const signal = AbortSignal.timeout(READ_MS);
  for (const { partition, earliest, latest, readable = latest } of await log.ends(topic)) {
    if (readable <= earliest) continue;
    for await (const { records } of log.read({
      topic,
      partition,
      from: Math.max(earliest, readable - LAST),
      to: readable,
      signal,
    })) {
      const last = records.at(-1);
      if (last) return last;
    }
  }
  return null;
}

const READ_MS = 10_000;
/** The last positions may be those of a transaction's end, which are no records. */
const LAST = 10;

/** No log tells its time. Its newest record was given one: that may not lie in the future. */
function checkClock({ config, clock }: Parts, clocks: Area, newest: number | null): void {
  if (config.logUrl.scheme === 'sqlite') return clocks.ok('log', 'it is on this machine.');
  if (newest === null) return clocks.notChecked('log', 'it holds no record whose time could be looked at.');
  const ahead = newest - clock.now();
  if (ahead > 0) return judgeClock(clocks, 'log', ahead);
  clocks.notChecked(
    'log',
    'its newest record is not from the future; whether its clock is behind, it does not tell.',
  );
}
