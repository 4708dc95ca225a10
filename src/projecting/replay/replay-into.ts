import { setImmediate as nextTurn } from 'node:timers/promises';

import { messageOf, PermanentError } from '../../platform/errors.ts';
import { replaceDocument } from '../../stores/documents/change-document.ts';
import { type Documents, type Version, newVersion, type Write } from '../../stores/documents/port.ts';
import { readShadow, removeShadow, SHADOWS, type ReplayResult, type Shadow } from '../../stores/shadows.ts';
import {
  collectionOf,
  collectionSpec,
  type Projection,
  type ReadModelDocument,
} from '../engine/projection.ts';
import { type PartOfHistory, foldHistory } from './fold-history.ts';
import type { Decode } from '../../events/decode.ts';
import { canonical, sha256 } from '../../platform/canonical.ts';
import { chunks } from '../../platform/chunks.ts';
import type { Json } from '../../platform/json-value.ts';
import { StoppedError } from '../engine/retry.ts';
import { outsideOf } from '../engine/retention-sweep.ts';

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
    const { written, ...counts } = await foldInto(parts, replay, begun.token);
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

async function begin(documents: Documents, id: string, { projection, told, span: { from, until } }: Replay) {
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

interface ReplayParts {
  readonly documents: Documents;
  /** For a projection that has no decoder of its own. */
  readonly decode: Decode;
  /** Aborting it ends the replay, and takes away what it has written. */
  readonly signal: AbortSignal;
  readonly onProgress?: {
    /** Of the history, with what lies outside of the bounds. */
    readonly folded: (records: number) => void;
    readonly written: (documents: number, total: number) => void;
  };
}

/** Documents written in one call. */
const PORTION = 500;

/**
 * Folds, and writes each document once. `token` begins the version of every one.
 * @throws {PermanentError} where a view cannot be computed, and where there is nothing to write.
 */
async function foldInto(parts: ReplayParts, replay: Replay, token: Version) {
  const { projection } = replay;
  const { decode = parts.decode } = projection;
  const folded = await foldHistory(projection, decode, replay, parts.signal, parts.onProgress?.folded);
  const { registers, records, leftOut } = folded;
  const outside = new Set(outsideOf(projection, registers.keys()));
  const within = new Map([...registers].filter(([id]) => !outside.has(id)));
  if (within.size === 0)
    throw new PermanentError('No event in this part of history makes a document: there is nothing to write.');
  await writeAll(parts, projection, within, token);
  return { records, left_out: leftOut, written: within.size };
}

async function writeAll(
  { documents, signal, onProgress }: ReplayParts,
  projection: Projection,
  registers: ReadonlyMap<string, unknown>,
  token: Version,
): Promise<void> {
  const collection = collectionOf(projection);
  let done = 0;
  for (const ids of chunks([...registers.keys()].sort(), PORTION)) {
    if (signal.aborted) throw new StoppedError('stopped');
    const writes = ids.map((id): Write<ReadModelDocument> => {
      const body = bodyOf(projection, id, registers.get(id));
      return { id, read: null, version: `${token}/${newVersion()}`, body };
    });
    // Another command may have taken the name: its documents are not to be mixed with these.
    if ((await readShadow(documents, collection))?.token !== token) throw takenOverError(collection);
    const outcomes = await documents.write(collection, writes, { signal });
    if (outcomes.includes('conflict')) throw takenOverError(collection);
    done += ids.length;
    onProgress?.written(done, registers.size);
    await nextTurn();
  }
}

function takenOverError(collection: string): PermanentError {
  return new PermanentError(`Another command has begun, or dropped, ${collection} meanwhile.`);
}

/** Without what lies outside the windows: when a sweep comes must make no difference. */
function bodyOf(projection: Projection, id: string, untrimmed: unknown): ReadModelDocument {
  const registers = projection.trim(untrimmed);
  try {
    return { registers, view: projection.view(id, registers) };
  } catch (thrown) {
    if (thrown instanceof PermanentError) throw thrown;
    const message = `The view of ${id} cannot be computed: ${messageOf(thrown)}.`;
    throw new PermanentError(message, { cause: thrown });
  }
}

/**
 * Reads all documents as they stand in the store. Returns the digest of their bodies.
 * @throws {PermanentError} where they are not those that were written.
 */
async function checkDocuments(documents: Documents, collection: string, token: Version, expected: number) {
  const digests: string[] = [];
  for await (const batch of documents.scan<ReadModelDocument>(collection)) {
    for (const { id, version, body } of batch) {
      if (!version.startsWith(token)) throw takenOverError(collection);
      digests.push(`${id} ${sha256(canonical(body as unknown as Json))}`);
    }
  }
  if (digests.length !== expected) throw takenOverError(collection);
  return sha256(digests.join('\n'));
}
