import type { z } from 'zod';

import { digestHex } from '../platform/canonical.ts';
import { messageOf } from '../platform/errors.ts';
import { unixMs } from '../platform/instant.ts';
import { isJsonObject, type JsonObject } from '../platform/json.ts';
import { checkerOf, REFUSED } from './checker.ts';
import { readEnvelope, type Envelope, splitType } from './envelope.ts';
import type { CatalogEvent, EventType } from './event.ts';
import { expected, firstProblem, problem, type Problem } from './rejection.ts';

/** What is known of an event from where it stands. */
export interface Surroundings {
  /** The key of its record; null where it has none. */
  readonly key: string | null;
  /** Its topic, as the types name theirs; null where it has not been published yet. */
  readonly topic: string | null;
  /** When it arrived in the log, Unix milliseconds. */
  readonly timestamp: number;
}

export type Interpreted =
  | { readonly event: CatalogEvent; readonly unknownFields: number }
  | { readonly unknownType: string }
  | { readonly problem: Problem };

/** From an unchecked CloudEvent to an event that can be folded: envelope, type, version, then data. Never throws. */
export function interpret(
  types: ReadonlyMap<string, EventType>,
  event: JsonObject,
  surroundings: Surroundings,
): Interpreted {
  const read = readEnvelope(event);
  if ('problem' in read) return read;
  const { envelope } = read;
  if (surroundings.key !== null && surroundings.key !== envelope.subject) {
    const accepted = `the subject ${JSON.stringify(envelope.subject)}, or none`;
    return { problem: expected('key_mismatch', 'key', accepted, surroundings.key) };
  }
  const { name, version } = splitType(envelope.type);
  const type = types.get(name);
  if (!type) return { unknownType: envelope.type };
  const misplaced = placeProblem(type, version, envelope, surroundings);
  return misplaced ? { problem: misplaced } : readData(type, version, envelope, surroundings);
}

function placeProblem(
  type: EventType,
  version: number,
  envelope: Envelope,
  { topic }: Surroundings,
): Problem | null {
  if (version < 1 || version > type.versions.length) {
    const accepted = type.versions.map((_, index) => `${type.name}.v${index + 1}`).join(' or ');
    return expected('unknown_version', 'type', accepted, envelope.type);
  }
  if (topic !== null && topic !== type.topic) {
    return expected('wrong_topic', 'topic', `${type.topic} for ${type.name}`, topic);
  }
  if (checkerOf(type.subject)(envelope.subject, { unknownFields: 0 }) !== REFUSED) return null;
  const subject = type.subject.safeParse(envelope.subject);
  return subject.success ? null : firstProblem('bad_envelope', 'subject', subject.error, envelope.subject);
}

function readData(
  type: EventType,
  version: number,
  envelope: Envelope,
  { timestamp }: Surroundings,
): Interpreted {
  const received = envelope.data;
  if (!isJsonObject(received)) return { problem: expected('bad_data', 'data', 'an object', received) };
  const newest = toNewest(type, version, received);
  if ('problem' in newest) return newest;
  const { raw, data, unknownFields } = newest;
  const late = observationProblem(type, data, envelope, timestamp);
  if (late) return { problem: late };
  const { id, source, subject, time, timeReceived } = envelope;
  try {
    const digest = digestHex({ data: raw, time: timeReceived });
    return {
      event: { type: type.name, id, source, subject, time, digest, data },
      unknownFields,
    };
  } catch (thrown) {
    // What the schema knows is in order by now, so it is in a field that the schema drops.
    return {
      problem: problem(
        'bad_data',
        `data: expected I-JSON (RFC 7493) in unknown fields too: ${messageOf(thrown)}`,
      ),
    };
  }
}

type Newest =
  | { readonly raw: JsonObject; readonly data: unknown; readonly unknownFields: number }
  | { readonly problem: Problem };

/**
 * Older data is held against its own schema first, so that a fault is told in the words of the version that upstream
 * wrote, and an upcaster sees nothing but what it was written for.
 */
function toNewest(type: EventType, version: number, received: JsonObject): Newest {
  const own = check(type.versions[version - 1], received);
  if ('problem' in own || version === type.versions.length) return own;
  let raw: JsonObject;
  try {
    raw = upcast(type, version, received);
  } catch (thrown) {
    return {
      problem: problem('upcast_failed', `data: version ${version} cannot be upcast: ${messageOf(thrown)}`),
    };
  }
  const newest = check(type.versions.at(-1), raw);
  return 'problem' in newest ? { problem: { ...newest.problem, code: 'upcast_failed' } } : newest;
}

function check(schema: z.ZodType | undefined, raw: JsonObject): Newest {
  if (!schema) return { problem: problem('unknown_version', 'type: this version has no schema') };
  const seen = { unknownFields: 0 };
  const checked = checkerOf(schema)(raw, seen);
  if (checked !== REFUSED) return { raw, data: checked, unknownFields: seen.unknownFields };
  const parsed = schema.safeParse(raw);
  return parsed.success
    ? { raw, data: parsed.data, unknownFields: countUnknownFields(raw, parsed.data) }
    : { problem: firstProblem('bad_data', 'data', parsed.error, raw) };
}

const DAY_MS = 86_400_000;

/** One measurement of the year 2099 would empty a history: nothing may be observed long after it was told. */
function observationProblem(
  { observedAt }: EventType,
  data: unknown,
  { time }: Envelope,
  timestamp: number,
): Problem | null {
  if (observedAt === null) return null;
  const observed = String((data as Record<string, unknown>)[observedAt]);
  const refuse = (than: string): Problem =>
    expected('from_the_future', `data.${observedAt}`, `at most a day after ${than}`, observed);
  // Text order is time order: nearly everything was observed before it was told.
  if (observed > time && unixMs(observed) > unixMs(time) + DAY_MS)
    return refuse(`the event's own time ${time}`);
  if (unixMs(observed) > timestamp + DAY_MS) return refuse('the record arrived in the log');
  return null;
}

/**
 * `data` of the given version (from 1), brought to the newest one by one upcaster after another. Throws whatever an
 * upcaster throws.
 */
export function upcast(
  { upcasters }: Pick<EventType, 'upcasters'>,
  version: number,
  data: JsonObject,
): JsonObject {
  return upcasters.slice(version - 1).reduce((older, upcaster) => upcaster(older), data);
}

/**
 * How many fields came that the schema did not keep, nested ones included (one that holds others counts once). Upstream
 * may add fields at any time; the count tells that it has, or that a name is misspelt.
 */
export function countUnknownFields(received: unknown, kept: unknown): number {
  if (!isContainer(received) || !isContainer(kept)) return 0;
  return Object.keys(received).reduce((count, name) => {
    if (!Object.hasOwn(kept, name)) return count + 1;
    return count + countUnknownFields(received[name], kept[name]);
  }, 0);
}

/** Lists too: their indexes are the same on both sides. */
export function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
