import { PARKED, type ParkedEvent } from '../../src/projecting/engine/parking.ts';
import { liveIn } from './aliases.ts';
import { require } from './promises.ts';
import type { SharedDocuments } from './simulated-documents.ts';
import { partitionsOf, type SharedLog } from './simulated-log.ts';
import { failIfBroken, type Stage } from './stage.ts';

/*
 * Upstream hears of whatever readers miss: of every event that the live build has parked there is an announcement, by
 * whatever build, however many commands died between a switch and what it had to tell.
 */

/** A command is given half a minute, a projector looks every ten seconds, and some calls. Simulated milliseconds. */
const WITHIN_MS = 60_000;

export async function requireAnnounced({ world, log, documents, ...stage }: Stage): Promise<void> {
  let lookedAt = -1;
  await world.until(() => {
    if (stage.broken.length > 0) return true;
    if (world.now() < lookedAt + 1000) return false;
    lookedAt = world.now();
    return untoldIn(log, documents) === null;
  }, WITHIN_MS);
  failIfBroken({ world, log, documents, ...stage });
  const untold = untoldIn(log, documents);
  require(untold === null, `upstream hears of it: ${untold}`);
}

function untoldIn(log: SharedLog, documents: SharedDocuments): string | null {
  const live = liveIn(documents);
  const told = new Set(partitionsOf(log, 'rejected').flat().map(placeTold));
  for (const [id, { body }] of documents.collections.get(PARKED.name) ?? []) {
    const parked = body as ParkedEvent;
    if (parked.readModel !== live || parked.state !== 'parked') continue;
    if (parked.unannounced) return `${id} is still marked`;
    if (!told.has(placeOf(parked))) return `${id} is parked and was never announced`;
  }
  return null;
}

function placeTold({ value }: { readonly value: Uint8Array | null }): string {
  const event = JSON.parse(Buffer.from(value ?? '').toString()) as { readonly data: ParkedEvent };
  return placeOf(event.data);
}

function placeOf({ topic, partition, position }: ParkedEvent): string {
  return `${topic}/${partition}/${position}`;
}
