import type { Log, NewRecord, Place } from '../../events/log/port.ts';
import { messageOf, PermanentError } from '../../platform/errors.ts';
import { changeDocument, readDocument } from '../../stores/documents/change-document.ts';
import type { CollectionSpec, Documents } from '../../stores/documents/port.ts';
import type { LaneParts } from './lane-context.ts';

/**
 * What keeps rejected events from being announced to upstream: one small document, written when that changes. An event that
 * could not be announced is parked all the same, and is not announced later: an operator has it in the list of parked
 * events, and upstream would hear of it long after it was decided.
 */
interface AnnouncementState {
  /** One line for people; null where nothing does. */
  readonly trouble: string | null;
}

const ANNOUNCING: CollectionSpec = { name: 'announcing', indexes: [] };

/** What keeps events from being announced, one line for people; null where nothing does. */
export async function announcementTrouble(
  documents: Pick<Documents, 'get'>,
  topic: string,
): Promise<string | null> {
  return (await readDocument<AnnouncementState>(documents, ANNOUNCING.name, topic))?.body.trouble ?? null;
}

interface AnnouncingParts extends Pick<LaneParts, 'log' | 'documents' | 'logger'> {
  /** The topic that rejected events are announced on. */
  readonly topic: string;
  /** Whether this deployment announces at all. */
  readonly isOn: boolean;
}

/**
 * The same log for a projector, whose announcements hold nothing up: where this deployment is to announce nothing they go
 * nowhere, and where it has no right to, that is said once. A log that cannot be reached is waited for as ever.
 */
export function announcementLog({ log, documents, logger, topic, isOn }: AnnouncingParts): Log {
  /** What was said last, so that it is said once; undefined before the first announcement. */
  let said: string | null | undefined;

  async function say(trouble: string | null): Promise<void> {
    if (said === trouble) return;
    if (trouble !== null) logger.warn({ topic, reason: trouble }, 'rejected events cannot be announced');
    else if (said !== undefined) logger.info({ topic }, 'rejected events are announced again');
    await documents.declare(ANNOUNCING);
    await changeDocument<AnnouncementState>(documents, ANNOUNCING.name, topic, (stored) =>
      (stored?.body.trouble ?? null) === trouble ? null : { trouble },
    );
    said = trouble;
  }

  async function announce(records: readonly NewRecord[]): Promise<readonly Place[]> {
    if (!isOn) return [];
    try {
      const places = await log.append(records);
      await say(null);
      return places;
    } catch (thrown) {
      if (!(thrown instanceof PermanentError)) throw thrown;
      await say(messageOf(thrown));
      return [];
    }
  }

  return {
    append: (records) =>
      records.length > 0 && records.every((record) => record.topic === topic)
        ? announce(records)
        : log.append(records),
    ensureTopics: (topics) => log.ensureTopics(topics),
    partitionCount: (name) => log.partitionCount(name),
    topicSettings: (name) => log.topicSettings(name),
    ends: (name) => log.ends(name),
    read: (range) => log.read(range),
    subscribe: (group, topics, handlers) => log.subscribe(group, topics, handlers),
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}
