import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Decode } from '../../events/decode.ts';
import { canonical, sha256 } from '../../platform/canonical.ts';
import { chunks } from '../../platform/chunks.ts';
import { messageOf, PermanentError } from '../../platform/errors.ts';
import type { Json } from '../../platform/json.ts';
import { newVersion, type Documents, type Version, type Write } from '../../stores/documents/port.ts';
import { readShadow } from '../../stores/shadows.ts';
import { collectionOf, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import { StoppedError } from '../engine/retry.ts';
import { outsideOf } from '../engine/sweep.ts';
import { foldHistory, type PartOfHistory } from './fold-history.ts';

export interface ReplayParts {
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

/** What was written, as it is kept with the shadow. */
interface ShadowCounts {
  readonly written: number;
  readonly records: number;
  readonly left_out: number;
}

/**
 * Folds, and writes each document once. `token` begins the version of every one.
 * @throws {PermanentError} where a view cannot be computed, and where there is nothing to write.
 */
export async function writeDocuments(
  parts: ReplayParts,
  projection: Projection,
  part: PartOfHistory,
  token: Version,
): Promise<ShadowCounts> {
  const { decode = parts.decode } = projection;
  const folded = await foldHistory(projection, decode, part, parts.signal, parts.onProgress?.folded);
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

export function takenOverError(collection: string): PermanentError {
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
export async function checkDocuments(
  documents: Documents,
  collection: string,
  token: Version,
  expected: number,
): Promise<string> {
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
