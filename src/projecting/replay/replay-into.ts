import { messageOf, PermanentError } from '../../platform/errors.ts';
import { replaceDocument } from '../../stores/documents/change.ts';
import type { Documents, Version } from '../../stores/documents/port.ts';
import { readShadow, removeShadow, SHADOWS, type ReplayResult, type Shadow } from '../../stores/shadows.ts';
import { collectionOf, collectionSpec, type Projection } from '../engine/projection.ts';
import { checkDocuments, takenOverError, writeDocuments, type ReplayParts } from './shadow-documents.ts';
import type { PartOfHistory } from './fold-history.ts';

interface Replay extends PartOfHistory {
  /** What makes the documents; see `shadowProjection`. */
  readonly projection: Projection;
  /** What is kept with them. */
  readonly told: Pick<Shadow, 'source' | 'formula'>;
}

/** The same read model under the name of a shadow: not searched. */
export function shadowProjection(projection: Projection, name: string): Projection {
  const shadow: { -readonly [Key in keyof Projection]: Projection[Key] } = { ...projection, build: name };
  delete shadow.searchEntry;
  return shadow;
}

/**
 * Folds records in memory, and writes each document once, into a shadow of this name. It announces nothing and parks nothing.
 * Equal records make equal documents, byte for byte, whatever order they come in.
 * @throws {PermanentError} where a finished shadow has the name, where a view cannot be computed (it names the document),
 * and where there is nothing to write. Then, and wherever it fails, nothing that it wrote stays, unless the store fails too.
 */
export async function replayInto(parts: ReplayParts, replay: Replay): Promise<Shadow> {
  const { documents } = parts;
  const id = collectionOf(replay.projection);
  const begun = await begin(documents, id, replay);
  try {
    // What a killed replay has left.
    await documents.drop(id);
    await documents.declare(collectionSpec(replay.projection));
    const { written, ...counts } = await writeDocuments(parts, replay.projection, replay, begun.token);
    const digest = await checkDocuments(documents, id, begun.token, written);
    const at = await documents.now();
    const made: ReplayResult = { at, ...counts, is_cut: replay.history.isCut, documents: written, digest };
    const finished: Shadow = { ...begun.shadow, made };
    const before = { id, version: begun.token };
    if ((await replaceDocument(documents, SHADOWS.name, before, finished)) === null) throw takenOverError(id);
    return finished;
  } catch (thrown) {
    await takeAway(documents, id, begun.token, thrown);
    throw thrown;
  }
}

async function begin(
  documents: Documents,
  id: string,
  { projection, told, span: { from, until } }: Replay,
): Promise<{ readonly shadow: Shadow; readonly token: Version }> {
  await documents.declare(SHADOWS);
  const known = await readShadow(documents, id);
  if (known?.made)
    throw new PermanentError(`There is a shadow ${id} already: drop it first, or take another name.`);
  const began_at = await documents.now();
  const { name, build = '' } = projection;
  const shadow: Shadow = { read_model: name, name: build, ...told, from, until, began_at, made: null };
  const token = await replaceDocument(documents, SHADOWS.name, { id, version: known?.token }, shadow);
  if (token === null) throw takenOverError(id);
  return { shadow, token };
}

/** Takes away what was written, unless it is another one's by now. Throws only where that fails. */
async function takeAway(documents: Documents, id: string, token: Version, reason: unknown): Promise<void> {
  try {
    const known = await readShadow(documents, id);
    if (known?.token === token) await removeShadow(documents, known);
  } catch (thrown) {
    const failed = messageOf(reason).replace(/\.$/, '');
    const message = `${failed}; nor could ${id} be taken away (${messageOf(thrown)}): drop it.`;
    throw new PermanentError(message, { cause: reason });
  }
}
