import type { Parts } from '../../compose/parts.ts';
import { ENTRIES } from '../../events/entry-events.ts';
import type { TopicSettings, TopicSpec } from '../../events/log/port.ts';
import { TOPICS } from '../../events/event-types.ts';
import { messageOf, PermanentError } from '../../platform/errors.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { counted, duration } from '../../texts/english-amounts.ts';
import { notChecked, ok, problem, reachCheck, warning, type Area, type Check, type Look } from './check.ts';
import texts from './texts.json' with { type: 'json' };

/** Whether the log answers, and each topic's settings are those of the contract. */
export const topicsArea: Area = { name: 'log', store: 'log', roles: ['project'], checks: topicChecks };

export function topicChecks({ log, config, topicName }: Parts): readonly Check[] {
  return [
    reachCheck(config.logUrl.scheme, texts.log.reach, () => log.partitionCount(topicName(ENTRIES))),
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
  if (settings.partitions < wanted.partitions)
    differences.push(
      `it has ${settings.partitions} partitions, expected ${wanted.partitions}: no more processes than that can share the work.`,
    );
  const { retentionMs: kept } = settings;
  // More partitions and a longer retention do no harm; null is for ever.
  const expected = wanted.retentionMs ?? Infinity;
  if (kept !== null && kept < expected)
    differences.push(
      `its records are kept for ${duration(kept)}, expected ${expected === Infinity ? 'ever' : duration(expected)}: what is cut is lost to a rebuild.`,
    );
  return differences;
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
