import type { z } from 'zod';

import { digestHex } from '../platform/canonical.ts';
import { messageOf } from '../platform/errors.ts';
import { DAY_MS, unixMs } from '../platform/time/instant.ts';
import { isContainer, isJsonObject, type Json, type JsonObject } from '../platform/json-value.ts';
import { readEnvelope, type Envelope, splitType } from './envelope.ts';
import type { CatalogEvent, EventType } from './event.ts';
import { allOf, expected, problem, problemsOf, type Problem } from './rejection.ts';

/** What is known of an event from where it stands. */
export interface RecordContext {
  /** The key of its record; null where it has none. */
  readonly key: string | null;
  /** Its topic, as the types name theirs; null where it has not been published yet. */
  readonly topic: string | null;
  /** When it arrived in the log, Unix milliseconds. */
  readonly timestamp: number;
}

export type Validation =
  | {
      readonly event: CatalogEvent;
      /** Where fields stand that today's schema does not know: `data.desciption`. */
      readonly unknownPaths: readonly string[];
    }
  | { readonly unknownType: string }
  | { readonly problem: Problem };

/**
 * From an unchecked CloudEvent to an event that can be folded: envelope, type, version, then data. Where one of them is
 * wrong, the others are looked at all the same, so that all mistakes are told at once. Never throws.
 */
export function validateEvent(
  types: ReadonlyMap<string, EventType>,
  event: JsonObject,
  surroundings: RecordContext,
): Validation {
  const read = readEnvelope(event);
  const told = typeof event['type'] === 'string' ? event['type'] : '';
  const { name, version } = splitType(told);
  const type = types.get(name);
  const newest = type?.versions[version - 1] ? newestOf(type, version, event['data']) : null;
  const [mistake, ...others] = [
    ...('problems' in read ? read.problems : placeProblems(type, version, read.envelope, surroundings)),
    ...(newest && 'problems' in newest ? newest.problems : []),
  ];
  if (mistake) return { problem: allOf([mistake, ...others]) };
  // Without a mistake there is an envelope, and data of every type that is known.
  if ('problems' in read || !type || !newest || 'problems' in newest) return { unknownType: told };
  return foldable(type, read.envelope, newest, surroundings);
}

/** What is wrong with where it stands and what it says it is; an unknown type is another thing. */
function placeProblems(
  type: EventType | undefined,
  version: number,
  envelope: Envelope,
  { key, topic }: RecordContext,
): readonly Problem[] {
  const found: Problem[] = [];
  if (key !== null && key !== envelope.subject) {
    const accepted = `the subject ${JSON.stringify(envelope.subject)}, or none`;
    found.push(expected('key_mismatch', 'key', accepted, key));
  }
  if (!type) return found;
  if (version < 1 || version > type.versions.length) {
    const accepted = type.versions.map((_, index) => `${type.name}.v${index + 1}`).join(' or ');
    found.push(expected('unknown_version', 'type', accepted, envelope.type));
  }
  if (topic !== null && topic !== type.topic)
    found.push(expected('wrong_topic', 'topic', `${type.topic} for ${type.name}`, topic));
  const subject = type.subject.safeParse(envelope.subject);
  if (!subject.success) found.push(...problemsOf('bad_envelope', 'subject', subject.error, envelope.subject));
  return found;
}

function foldable(
  type: EventType,
  envelope: Envelope,
  { raw, data, unknownPaths: unknown }: NewestData,
  { timestamp }: RecordContext,
): Validation {
  const [early, ...others] = observationProblems(type, data, envelope, timestamp);
  if (early) return { problem: allOf([early, ...others]) };
  const { id, source, subject, time, timeReceived } = envelope;
  try {
    const digest = digestHex({ data: raw, time: timeReceived });
    return { event: { type: type.name, id, source, subject, time, digest, data }, unknownPaths: unknown };
  } catch (thrown) {
    // What the schema knows is in order by now, so it is in a field that the schema drops.
    const why = `data: expected I-JSON (RFC 7493) in unknown fields too: ${messageOf(thrown)}`;
    return { problem: problem('bad_data', why) };
  }
}

interface NewestData {
  /** As it came, but for upcasters. */
  readonly raw: JsonObject;
  readonly data: unknown;
  readonly unknownPaths: readonly string[];
}

type Newest = NewestData | { readonly problems: readonly [Problem, ...Problem[]] };

/**
 * Older data is held against its own schema first, so that a fault is told in the words of the version that upstream
 * wrote, and an upcaster sees nothing but what it was written for.
 */
function newestOf(type: EventType, version: number, received: Json | undefined): Newest {
  if (!isJsonObject(received)) return { problems: [expected('bad_data', 'data', 'an object', received)] };
  const own = check(type.versions[version - 1], received);
  if ('problems' in own || version === type.versions.length) return own;
  let raw: JsonObject;
  try {
    raw = upcast(type, version, received);
  } catch (thrown) {
    const why = `data: version ${version} cannot be upcast: ${messageOf(thrown)}`;
    return { problems: [problem('upcast_failed', why)] };
  }
  const newest = check(type.versions.at(-1), raw);
  if (!('problems' in newest)) return newest;
  const [first, ...others] = newest.problems;
  return { problems: [{ ...first, code: 'upcast_failed' }, ...others] };
}

function check(schema: z.ZodType | undefined, raw: JsonObject): Newest {
  if (!schema) return { problems: [problem('unknown_version', 'type: this version has no schema')] };
  const parsed = schema.safeParse(raw);
  return parsed.success
    ? { raw, data: parsed.data, unknownPaths: unknownPaths(raw, parsed.data) }
    : { problems: problemsOf('bad_data', 'data', parsed.error, raw) };
}

const PROMPT_MS = 2 * 60_000;

/** One measurement of the year 2099 would empty a history, and what is said of a round to come hides what happens in it. */
function observationProblems(
  { observedAt, moments }: EventType,
  data: unknown,
  { time }: Envelope,
  timestamp: number,
): readonly Problem[] {
  if (observedAt === null) return [];
  const fields = data as Record<string, unknown>;
  const observed = String(fields[observedAt]);
  const refuse = (field: string, most: string): Problem =>
    expected('from_the_future', `data.${field}`, `at most ${most}`, fields[field]);
  const found: Problem[] = [];
  // Text order is time order: nearly everything was observed before it was told.
  if (observed > time && unixMs(observed) > unixMs(time) + DAY_MS)
    found.push(refuse(observedAt, `a day after the event's own time ${time}`));
  const [mostMs, most] = moments ? [PROMPT_MS, '2 minutes'] : [DAY_MS, 'a day'];
  const told = moments ? moments(data as never) : { [observedAt]: unixMs(observed) };
  for (const [field, at] of Object.entries(told))
    if (at > timestamp + mostMs) found.push(refuse(field, `${most} after the record arrived in the log`));
  return found;
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
 * The fields that came and that the schema did not keep, nested ones included (one that holds others counts once):
 * `data.desciption`, `data.links[].title`. Upstream may add fields at any time; these tell that it has, or that a name is
 * misspelt.
 */
export function unknownPaths(received: unknown, kept: unknown, path = 'data'): readonly string[] {
  if (!isContainer(received) || !isContainer(kept)) return [];
  const paths: string[] = [];
  for (const name of Object.keys(received)) {
    const isKept = Object.hasOwn(kept, name);
    if (isKept && !isContainer(received[name])) continue;
    const own = Array.isArray(received) ? `${path}[]` : `${path}.${name}`;
    if (isKept) paths.push(...unknownPaths(received[name], kept[name], own));
    else paths.push(own);
  }
  return paths;
}
