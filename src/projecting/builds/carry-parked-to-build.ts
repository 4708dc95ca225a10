import type { Log } from '../../events/log/port.ts';
import { newVersion, type Documents, type Stored } from '../../stores/documents/port.ts';
import { laneName, lanesOf } from '../engine/lane.ts';
import { everyParked, unannouncedEvents } from '../engine/parked-queries.ts';
import { announceParked, incarnationOf, PARKED, parkedId, type ParkedEvent } from '../engine/parking.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import { discard } from '../engine/redrive.ts';
import { forgottenPartitions } from '../replay/history.ts';
import { type BuildWork, repeatForBuilds } from './repeat-for-builds.ts';
import { readAlias } from '../../stores/aliases.ts';

/**
 * What a build has parked, against what the build had parked that was live before. A build beside the live one marks what it
 * parks: upstream was not told. Once it is live a projector takes the marks away:
 *
 *   marked --the build before has it parked, and upstream was told of that--> nothing to tell
 *   marked --else--> announced: appended to the log first, then the mark is taken away, so that none is lost
 *   marked --an operator has decided about it--> nothing to tell
 */

/** Drops what an operator has dropped in the source already. */
export async function carryDiscards(documents: Documents, source: string, target: string): Promise<void> {
  for await (const page of everyParked(documents, target)) {
    const waiting = page.filter(({ body }) => body.state === 'parked');
    for (const { parked, other } of await compare(documents, source, target, waiting))
      if (other?.state === 'discarded') await discard(documents, parked);
  }
}

/**
 * Tells upstream of what only the target has refused, and of what the source has refused before without that upstream was
 * told: null where there is no source any more. Returns how many events. Repeating it after a failure tells the rest;
 * what was told last may be told twice. `PARKED` has to be declared.
 */
export async function announceNewlyParked(
  { documents, log }: { readonly documents: Documents; readonly log: Pick<Log, 'append'> },
  rejectedTopic: string,
  source: string | null,
  target: string,
): Promise<number> {
  let announced = 0;
  for await (const page of unannouncedEvents(documents, target)) {
    const compared = await compare(documents, source, target, page);
    const news = compared
      .filter(({ parked, other }) => parked.body.state === 'parked' && (!other || other.unannounced))
      .map(({ parked }) => parked);
    await announceParked(log, rejectedTopic, news);
    // One that has changed meanwhile keeps its mark, and is looked at again.
    const unmarked = page.map(({ id, version: read, body: { unannounced: _taken, ...body } }) => {
      return { id, read, version: newVersion(), body };
    });
    await documents.write(PARKED.name, unmarked);
    announced += news.length;
  }
  return announced;
}

/** With what the source has at the same place of the log; null where it has folded what stands there. */
async function compare(
  documents: Documents,
  source: string | null,
  target: string,
  page: readonly Stored<ParkedEvent>[],
) {
  if (page.length === 0 || source === null) return page.map((parked) => ({ parked, other: null }));
  const incarnations = await incarnationsOf(documents, source);
  const own = await incarnationsOf(documents, target);
  const idOf = ({ id, body }: Stored<ParkedEvent>): string => {
    // Both read the same log now: how many logs ago an event was parked tells in which of them it stood.
    const ago = (own.get(laneName(body)) ?? 0) - incarnationOf(id);
    return idIn(source, body, incarnations, ago);
  };
  const others = await documents.get<ParkedEvent>(PARKED.name, page.map(idOf));
  return page.map((parked) => ({ parked, other: others.get(idOf(parked))?.body ?? null }));
}

/** Keeps for the target what the source has parked, or dropped, of records that the log no longer holds. */
export async function carryForgotten(
  parts: Parameters<typeof forgottenPartitions>[0] & { readonly documents: Documents },
  source: Pick<Projection, 'name' | 'version' | 'build'>,
  target: Projection,
): Promise<void> {
  const { documents } = parts;
  const gone = await forgottenPartitions(parts, target);
  const [from, to] = [collectionOf(source), collectionOf(target)];
  const incarnations = await incarnationsOf(documents, from);
  const own = await incarnationsOf(documents, to);
  for await (const page of everyParked(documents, from)) {
    const writes = page.flatMap(({ id, body: { unannounced: _told, redriving: _begun, ...body } }) => {
      const { topic, partition, position } = body;
      const isGone = gone.some(
        (one) => one.topic === topic && one.partition === partition && position < one.earliest,
      );
      // Of the log as it is now: positions of one that it took the place of would be taken for its own.
      const isOfNow = incarnationOf(id) === (incarnations.get(laneName(body)) ?? 0);
      if (!isGone || !isOfNow) return [];
      return [
        { id: idIn(to, body, own), read: null, version: newVersion(), body: { ...body, readModel: to } },
      ];
    });
    if (writes.length > 0) await documents.write(PARKED.name, writes);
  }
}

/** The ids under which other builds have parked what stands at the same place of the log. */
export async function alsoParkedIn(
  documents: Documents,
  parked: ParkedEvent,
  builds: readonly string[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const build of builds) ids.push(idIn(build, parked, await incarnationsOf(documents, build)));
  const there = await documents.versions(PARKED.name, ids);
  return ids.filter((id) => there.has(id));
}

/** Positions of a log that took the place of another one are named apart, by how often that was accepted in a lane. */
export async function incarnationsOf(
  documents: Pick<Documents, 'scan'>,
  build: string,
): Promise<ReadonlyMap<string, number>> {
  return new Map((await lanesOf(documents, build)).map((lane) => [laneName(lane), lane.incarnation]));
}

/** What an event is called where another build has parked it too. */
function idIn(
  build: string,
  { topic, partition, position, to }: ParkedEvent,
  incarnations: ReadonlyMap<string, number>,
  ago = 0,
): string {
  const lane = { readModel: build, topic, partition };
  const incarnation = (incarnations.get(laneName(lane)) ?? 0) - ago;
  return parkedId(lane, incarnation, position, to);
}

interface AnnouncerParts extends BuildWork {
  readonly log: Pick<Log, 'append'>;
  /** The topic that rejected events are announced on. */
  readonly rejectedTopic: string;
}

const LOOK_MS = 10_000;

/**
 * Tells upstream of what the live build has refused and nobody has announced: it was parked before the build was live, or by
 * a lane that did not know yet that it is.
 */
export function startAnnouncer(parts: AnnouncerParts): AsyncDisposable {
  const { documents, logger, rejectedTopic } = parts;
  return repeatForBuilds(
    parts,
    LOOK_MS,
    async (projection) => {
      const build = collectionOf(projection);
      const alias = await readAlias(documents, projection.name);
      if (alias?.collection !== build) return;
      const announced = await announceNewlyParked(parts, rejectedTopic, alias.before, build);
      if (announced > 0)
        logger.info({ build, announced }, 'events announced that were parked before it was live');
    },
    (what) => logger.debug(what, 'parked events could not be announced; tried again'),
  );
}
