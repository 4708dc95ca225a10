import type { CatalogEvent } from '../../events/event.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Json } from '../../platform/json.ts';
import { newVersion, type Stored, type Version } from '../../stores/documents/port.ts';
import { noteAltered } from '../../stores/builds.ts';
import { readAlias } from '../../stores/live.ts';
import { laneName } from '../engine/lane.ts';
import { markOf, withMark } from '../engine/outbox.ts';
import { collectionOf, evolve, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import { foldFurther, foldLog, type FoldParts } from '../inspect/log-fold.ts';
import { lanesOf } from './lanes.ts';

/** One document of a build, folded again from the whole log. */

export type Refolded =
  | {
      readonly outcome: 'written';
      /** null where there was none. */
      readonly before: Json | null;
      readonly after: Json;
      /** Whether the log was cut: then what it says was joined with what was there. */
      readonly logCut: boolean;
    }
  /** Neither the log nor the build knows it. */
  | { readonly outcome: 'unknown' }
  /** The log does not know it, and the build does. Nothing was changed. */
  | { readonly outcome: 'not_in_log'; readonly logCut: boolean }
  /** Nothing was changed; `reason` is one line for people. */
  | { readonly outcome: 'refused'; readonly reason: string };

/** How often it is folded again where a lane has changed the document meanwhile. */
const ATTEMPTS = 5;

/**
 * Writes it with a guard, and marks it for the index, whatever stood there: that is what it is asked for. What is parked is
 * left out, as it is by lanes, but for what the document has of it already: nothing goes back.
 * @throws {Stopped} where the signal was aborted.
 */
export async function refoldDocument(
  parts: FoldParts,
  projection: Projection,
  id: string,
): Promise<Refolded> {
  const { documents } = parts;
  const collection = collectionOf(projection);
  const alone = only(projection, id);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    // Before the log: whatever the document holds stands in the log by the time that its end is read.
    const stored = (await documents.get<ReadModelDocument>(collection, [id])).get(id);
    const fold = await foldLog(alone, parts);
    const [halt] = fold.halts;
    if (halt !== undefined) return { outcome: 'refused', reason: halt };
    // A log that is busy may not know a topic for a while: what that says would go.
    const folded = new Set(fold.lanes.map(laneName));
    const unknown = (await lanesOf(documents, collection)).map(laneName).find((lane) => !folded.has(lane));
    if (unknown !== undefined)
      return { outcome: 'refused', reason: `the log does not know ${unknown} at the moment: try again` };
    const optional = fold.optional.filter((event) => isHeld(alone, id, stored, event));
    const whole = await foldFurther(alone, parts, { ...fold, optional }, new Set([id]));
    const own = whole.get(id);
    const { logCut } = fold;
    if (own === undefined) return stored ? { outcome: 'not_in_log', logCut } : { outcome: 'unknown' };
    const registers = logCut && stored ? projection.registers.join(stored.body.registers, own) : own;
    const after = documentOf(projection, id, registers);
    if (after instanceof Error)
      return { outcome: 'refused', reason: `what the log says of it cannot be shown: ${after.message}` };
    // After the log was read, as lanes do: whoever switches builds later waits until the other one has come as far.
    const pause = (await readAlias(documents, projection.name))?.pause;
    if (pause)
      return {
        outcome: 'refused',
        reason: `${pause.owner} is about to switch ${projection.name}: try again`,
      };
    await noteAltered(documents, collection);
    const write = { id, read: versionOf(stored), version: newVersion(), body: after };
    const [outcome] = await documents.write(collection, [write]);
    if (outcome !== 'done') continue;
    const before = (stored?.body.view ?? null) as Json | null;
    return { outcome: 'written', before, after: after.view as Json, logCut };
  }
  return { outcome: 'refused', reason: `${id} was changed by its lane at every attempt: try again` };
}

/**
 * Whether the document has taken in what this event says, although it is parked: by a redrive that was cut off, or by a lane
 * that came to it again with another release.
 */
function isHeld(
  projection: Projection,
  id: string,
  stored: Stored<ReadModelDocument> | undefined,
  event: CatalogEvent,
): boolean {
  try {
    if (!stored || projection.documentId(event) !== id) return false;
    const { registers } = stored.body;
    return evolve(projection, registers, event) === registers;
  } catch {
    // It cannot be folded, so nothing of it is there.
    return false;
  }
}

function versionOf(stored: Stored<unknown> | undefined): Version | null {
  return stored?.version ?? null;
}

/** The projection of this document alone: a fold of the log then holds nothing else in memory. */
function only(projection: Projection, id: string): Projection {
  return {
    ...projection,
    documentId: (event) => {
      const found = projection.documentId(event);
      return found === id ? found : null;
    },
  };
}

/** An error where it has no view: its lane is about to park the event that is to blame. */
function documentOf(projection: Projection, id: string, registers: unknown): ReadModelDocument | Error {
  try {
    const view = projection.view(id, registers);
    const mark = projection.searchEntry ? markOf(projection.searchEntry(id, view)) : undefined;
    return withMark({ registers, view }, mark);
  } catch (thrown) {
    return new Error(messageOf(thrown), { cause: thrown });
  }
}
