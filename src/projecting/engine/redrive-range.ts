import type { CatalogEvent } from '../../events/event.ts';
import type { LogRecord } from '../../events/log/port.ts';
import { applyEvents } from './apply.ts';
import { foldFailure } from './batch.ts';
import { CHECKPOINTS, laneName, type Checkpoint } from './lane.ts';
import { park, parkedRangeId, type ParkedEvent, type ParkingLane, type Unfoldable } from './parking.ts';
import { collectionOf } from './projection.ts';
import type { RedriveParts } from './redrive.ts';

/**
 * Reads a range of positions again that could not be read when its turn came, and folds what stands there: the log may
 * have been repaired, or a newer release may read more. What is refused now is parked by itself.
 * Returns null where all of it was read, else why not: the range then stays as it is.
 */
export async function redriveRange(
  range: ParkedEvent & { readonly to: number },
  id: string,
  parts: RedriveParts,
): Promise<string | null> {
  const { documents, log, projections, rejectedTopic, now } = parts;
  const { readModel, topic, partition, position: from, to } = range;
  const projection = projections.find((one) => collectionOf(one) === readModel);
  if (!projection) return `this release does not have the read model ${readModel}`;
  const name = laneName({ readModel, topic, partition });
  const checkpoint = (await documents.get<Checkpoint>(CHECKPOINTS.name, [name])).get(name);
  const incarnation = checkpoint?.body.incarnation ?? 0;
  const lane: ParkingLane = { readModel, topic, partition, incarnation };
  if (id !== parkedRangeId(lane, incarnation, from, to))
    return 'it stood in a log that another one has taken the place of: discard it';
  const ends = (await log.ends(topic)).find((end) => end.partition === partition);
  if (!ends || ends.earliest > from || (ends.readable ?? ends.latest) < to)
    return 'the log does not hold these positions any more: discard it';
  const refused: Unfoldable[] = [];
  for await (const { records, unreadable = [] } of log.read({ topic, partition, from, to })) {
    if (unreadable[0]) return `it still cannot be read: ${unreadable[0].reason}`;
    const decoded: { readonly record: LogRecord; readonly event: CatalogEvent }[] = [];
    for (const record of records) {
      const result = parts.decode(record);
      if (result.outcome === 'event') decoded.push({ record, event: result.event });
      if (result.outcome === 'rejected') refused.push({ record, rejection: result.rejection });
    }
    const events = decoded.map(({ event }) => event);
    const applied = await applyEvents(projection, events, parts);
    for (const [index, { record, event }] of decoded.entries()) {
      const effect = applied[index];
      if (effect?.kind === 'failed') refused.push({ record, rejection: foldFailure(event, effect.error) });
    }
  }
  if (refused.length > 0) await park({ documents, log }, rejectedTopic, lane, refused, now);
  return null;
}
