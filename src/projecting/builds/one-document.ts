import type { CatalogEvent } from '../../events/event.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Json } from '../../platform/json.ts';
import { type Change, changeDocumentFor, Contended } from '../../stores/documents/change.ts';
import type { Stored } from '../../stores/documents/port.ts';
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
  try {
    return await changeDocumentFor<ReadModelDocument, Refolded>(
      documents,
      collectionOf(projection),
      id,
      (stored) => refold(parts, projection, id, stored),
      { most: ATTEMPTS },
    );
  } catch (thrown) {
    if (!(thrown instanceof Contended)) throw thrown;
    return { outcome: 'refused', reason: `${id} was changed by its lane at every attempt: try again` };
  }
}

/** `stored` was read before the log: whatever it holds stands in the log by the time that its end is read. */
async function refold(
  parts: FoldParts,
  projection: Projection,
  id: string,
  stored: Stored<ReadModelDocument> | null,
): Promise<Change<ReadModelDocument, Refolded>> {
  const { documents } = parts;
  const collection = collectionOf(projection);
  const alone = only(projection, id);
  const unchanged = (result: Refolded) => ({ body: null, result });
  const refused = (reason: string) => unchanged({ outcome: 'refused', reason });
  const fold = await foldLog(alone, parts);
  const [halt] = fold.halts;
  if (halt !== undefined) return refused(halt);
  // A log that is busy may not know a topic for a while: what that says would go.
  const folded = new Set(fold.lanes.map(laneName));
  const unknown = (await lanesOf(documents, collection)).map(laneName).find((lane) => !folded.has(lane));
  if (unknown !== undefined) return refused(`the log does not know ${unknown} at the moment: try again`);
  const optional = fold.optional.filter((event) => isHeld(alone, id, stored, event));
  const whole = await foldFurther(alone, parts, { ...fold, optional }, new Set([id]));
  const own = whole.get(id);
  const { logCut } = fold;
  if (own === undefined)
    return unchanged(stored ? { outcome: 'not_in_log', logCut } : { outcome: 'unknown' });
  const registers = logCut && stored ? projection.registers.join(stored.body.registers, own) : own;
  const body = documentOf(projection, id, registers);
  if (body instanceof Error) return refused(`what the log says of it cannot be shown: ${body.message}`);
  // After the log was read, as lanes do: whoever switches builds later waits until the other one has come as far.
  const pause = (await readAlias(documents, projection.name))?.pause;
  if (pause) return refused(`${pause.owner} is about to switch ${projection.name}: try again`);
  await noteAltered(documents, collection);
  const before = (stored?.body.view ?? null) as Json | null;
  return { body, result: { outcome: 'written', before, after: body.view as Json, logCut } };
}

/**
 * Whether the document has taken in what this event says, although it is parked: by a redrive that was cut off, or by a lane
 * that came to it again with another release.
 */
function isHeld(
  projection: Projection,
  id: string,
  stored: Stored<ReadModelDocument> | null,
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
