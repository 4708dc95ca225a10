import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';

import { EQUAL_FOLDS } from '../../projections/equal-folds.ts';
import { PROJECTIONS } from '../../projections/index.ts';
import { foldDigest, foldRoots } from '../../src/compose/fold-sources.ts';
import { PermanentError, UsageError } from '../../src/platform/errors.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { closureOf } from './closure.ts';
import { entryOf, withEntry } from './entry.ts';

/** How the kept fold decodes: with the schemas and upcasters of its own release. */
const TYPES = 'src/events/types.ts';

interface Frozen {
  /** From the project: `earlier/listings@1/`. */
  readonly folder: string;
  /** How many files were copied. */
  readonly files: number;
}

/**
 * Copies the present fold of a read model, with all that it and its decoder are made of, to where the next release finds
 * it, and lists it there. Either all of it is done, or nothing.
 * @throws {UsageError} where there is no such read model.
 * @throws {PermanentError} where the fold of this version is kept already, or is not the one that was released.
 */
export async function freezeFold(project: URL, name: string): Promise<Frozen> {
  const projection = PROJECTIONS.find((one) => one.name === name);
  if (!projection) {
    const names = PROJECTIONS.map((one) => one.name).join(', ');
    throw new UsageError(`There is no read model ${name}. It is one of ${names}.`);
  }
  const collection = collectionOf(projection);
  const folder = `earlier/${collection}/`;
  const target = new URL(folder, project);
  if (existsSync(target)) {
    throw new PermanentError(
      `${folder} is there already: the fold of ${collection} is kept. Where that was a mistake, remove the folder and its lines in earlier/index.ts.`,
    );
  }
  const digest = await foldDigest(name, project);
  // A fold that was changed before it was kept would be kept under the name of documents that it did not make.
  if (EQUAL_FOLDS[collection]?.includes(digest) === false) {
    throw new PermanentError(
      `The fold of ${collection} is not the one that was released: freeze it before you change it ("git stash" puts a change aside).`,
    );
  }
  const index = new URL('earlier/index.ts', project);
  const listed = withEntry(await readFile(index, 'utf8'), projection);
  const files = await closureOf(project, [...foldRoots(name), TYPES]);
  const unfinished = new URL(`earlier/.${collection}/`, project);
  await rm(unfinished, { recursive: true, force: true });
  for (const [path, text] of [...files, ['index.ts', entryOf(projection)] as const]) {
    const copy = new URL(path, unfinished);
    await mkdir(new URL('.', copy), { recursive: true });
    await writeFile(copy, text);
  }
  const kept = await foldDigest(name, unfinished);
  if (kept !== digest) throw new Error(`The copy of ${collection} differs from it: ${kept}, not ${digest}`);
  await rename(unfinished, target);
  await writeFile(index, listed);
  return { folder, files: files.size };
}
