import { readdir, readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

import { canonical, sha256 } from '../../platform/canonical.ts';
import type { Json } from '../../platform/json-value.ts';
import { foldDocument } from '../engine/fold.ts';
import type { Projection } from '../engine/projection.ts';
import type { CloudEvent } from '../../events/envelope.ts';
import type { Decode } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import { structuredRecord } from '../../events/event-types.ts';

/*
 * A fold is told by its version and by what it makes of recorded events (projections/recorded/): decoded as it decodes
 * and folded by the engine of this release. How its sources are written does not count. Tests and `npm run freeze` look at
 * all of them. A start, which somebody waits for, looks at fewer, and so does whatever else begins documents or goes on
 * with them; commands that only look go by the version.
 */

interface DecodeParts {
  readonly decode: Decode;
  readonly topicName: (topic: string) => string;
}

/** What the builds of a version keep of the fold that makes their documents: the digest of what that makes of some events. */
export function foldIdentity(projection: Projection, parts: DecodeParts): Promise<string> {
  const { decode = parts.decode } = projection;
  const known = identities.get(decode) ?? new WeakMap<Projection, Promise<string>>();
  identities.set(decode, known);
  const identity =
    known.get(projection) ??
    recordedEvents(projection, AT_START).then((events) => madeOf(projection, parts, events));
  known.set(projection, identity);
  return identity;
}

/** By how the events are decoded, too: that decides what is made of them. */
const identities = new WeakMap<Decode, WeakMap<Projection, Promise<string>>>();
/** One in so many of the events that are recorded for all. */
const AT_START = 8;

/** The digest of the documents that a fold makes of all events that are recorded for its version. */
export async function foldDigest(projection: Projection, parts: DecodeParts): Promise<string> {
  return madeOf(projection, parts, await recordedEvents(projection));
}

function madeOf(projection: Projection, parts: DecodeParts, events: readonly CloudEvent[]): string {
  const made = foldedOf(projection, parts, events).map(({ id, registers }) => {
    const view = projection.view(id, registers);
    return { id, registers, view, entry: projection.searchEntry?.(id, view) ?? null };
  });
  return sha256(canonical(made as unknown as Json));
}

/** Whether two folds of a read model make equal registers of all the events that are recorded for it, whatever their views. */
export async function makeEqualRegisters(a: Projection, b: Projection, parts: DecodeParts): Promise<boolean> {
  const later = a.version > b.version ? a : b;
  const events = await recordedEvents(later);
  const [one, other] = [foldedOf(a, parts, events), foldedOf(b, parts, events)];
  return canonical(one as unknown as Json) === canonical(other as unknown as Json);
}

/** In the order of their ids. What a fold refuses is as if it had not been recorded. */
function foldedOf(projection: Projection, parts: DecodeParts, events: readonly CloudEvent[]) {
  const { decode = parts.decode, registers } = projection;
  const found: { readonly id: string; readonly event: CatalogEvent }[] = [];
  for (const recorded of events) {
    const record = structuredRecord(recorded);
    if (!projection.topics.includes(record.topic)) continue;
    const place = { topic: parts.topicName(record.topic), partition: 0, position: 0 };
    const decoded = decode({ ...record, ...place, timestamp: Date.parse(recorded.time) });
    const id = decoded.outcome === 'event' ? projection.documentId(decoded.event) : null;
    if (decoded.outcome === 'event' && id !== null) found.push({ id, event: decoded.event });
  }
  return [...Map.groupBy(found, ({ id }) => id)]
    .map(([id, own]) => {
      const ownEvents = own.map(({ event }) => event);
      return { id, registers: foldDocument(projection, id, registers.empty, ownEvents).registers };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const FOLDER = new URL('../../../projections/recorded/', import.meta.url);
/** 4,000 events of all read models, a half of them as odd as our schemas allow. */
const OF_ALL = 'events.ndjson.gz';

/**
 * The events that tell a fold from others, in the order that they were recorded in: those for all read models, then those
 * that a version of this one brought along (`listings@3.ndjson`), up to a version. So what a version is told by stays
 * when a later one brings more. Of those for all, one in so many may do (`oneIn`).
 */
export async function recordedEvents(
  { name, version }: Pick<Projection, 'name' | 'version'>,
  oneIn = 1,
): Promise<readonly CloudEvent[]> {
  const brought = (await readdir(FOLDER))
    .flatMap((file) => {
      const [, of, from] = /^([a-z]+)@(\d+)\.ndjson$/.exec(file) ?? [];
      return of === name && Number(from) <= version ? { file, from: Number(from) } : [];
    })
    .toSorted((a, b) => a.from - b.from);
  const lines = gunzipSync(await readFile(new URL(OF_ALL, FOLDER)))
    .toString()
    .split('\n')
    .filter((_line, at) => at % oneIn === 0);
  for (const { file } of brought) lines.push(...(await readFile(new URL(file, FOLDER), 'utf8')).split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as CloudEvent);
}
