import type { Log } from '../../events/log/port.ts';
import type { Documents, Stored } from '../../stores/documents/port.ts';
import { laneName } from '../engine/lane.ts';
import { parkedEvents } from '../engine/parked-events.ts';
import { announceParked, PARKED, parkedId, parkedRangeId, type ParkedEvent } from '../engine/parking.ts';
import { discard } from '../engine/redrive.ts';
import { lanesOf } from './lanes.ts';

/** What a build has parked, against what the build had parked that was live before. */

interface Compared {
  readonly parked: Stored<ParkedEvent>;
  /** What the other build has at the same place of the log; null where it has folded what stands there. */
  readonly other: ParkedEvent | null;
}

/** Drops what an operator has dropped in the source already. Returns how many. */
export async function carryDiscards(documents: Documents, source: string, target: string): Promise<number> {
  let carried = 0;
  for await (const { parked, other } of compareParked(documents, source, target)) {
    if (other?.state !== 'discarded') continue;
    await discard(documents, parked);
    carried += 1;
  }
  return carried;
}

/** Tells upstream of what only the target has refused. Returns how many events. */
export async function announceNewlyParked(
  { documents, log }: { readonly documents: Documents; readonly log: Log },
  rejectedTopic: string,
  source: string,
  target: string,
): Promise<number> {
  let announced = 0;
  for await (const { parked, other } of compareParked(documents, source, target)) {
    if (other !== null) continue;
    await announceParked(log, rejectedTopic, parked);
    announced += 1;
  }
  return announced;
}

async function* compareParked(
  documents: Documents,
  source: string,
  target: string,
): AsyncGenerator<Compared> {
  const incarnations = await incarnationsOf(documents, source);
  const idOf = ({ body }: Stored<ParkedEvent>): string => idIn(source, body, incarnations);
  for await (const page of parkedEvents(documents, {})) {
    const own = page.filter(({ body }) => body.readModel === target);
    if (own.length === 0) continue;
    const others = await documents.get<ParkedEvent>(PARKED.name, own.map(idOf));
    for (const parked of own) yield { parked, other: others.get(idOf(parked))?.body ?? null };
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
async function incarnationsOf(documents: Documents, build: string): Promise<ReadonlyMap<string, number>> {
  return new Map((await lanesOf(documents, build)).map((lane) => [laneName(lane), lane.incarnation]));
}

/** What an event is called where another build has parked it too. */
function idIn(
  build: string,
  { topic, partition, position, to }: ParkedEvent,
  incarnations: ReadonlyMap<string, number>,
): string {
  const lane = { readModel: build, topic, partition };
  const incarnation = incarnations.get(laneName(lane)) ?? 0;
  return to === undefined
    ? parkedId(lane, incarnation, position)
    : parkedRangeId(lane, incarnation, position, to);
}
