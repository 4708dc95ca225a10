import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

import type { EarlierFold } from '../../earlier/index.ts';
import { PROJECTIONS } from '../../projections/index.ts';
import { FOLD_DIGESTS } from '../../projections/recorded/fold-digests.ts';
import { foldDigest } from '../../src/projecting/builds/fold-identity.ts';
import { PermanentError, UsageError } from '../../src/platform/errors.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { bundleOf } from './bundle.ts';
import { headOf, withEntry } from './entry.ts';

/**
 * Writes the present fold of a read model, with all that it and its decoder use, into one file where the next release
 * finds it, and lists it there. Either all of it is done, or nothing. Returns the file: `earlier/listings@1.js`.
 * @throws {UsageError} where there is no such read model.
 * @throws {PermanentError} where the fold of this version is kept already, or is not the one that was released.
 */
export async function freezeFold(project: URL, name: string): Promise<string> {
  if (!PROJECTIONS.some((one) => one.name === name)) {
    const names = PROJECTIONS.map((one) => one.name).join(', ');
    throw new UsageError(`There is no read model ${name}. It is one of ${names}.`);
  }
  const text = await bundleOf(project, name);
  // Another name each time, for a module that was loaded is not loaded again.
  const unfinished = new URL(`earlier/.${name}-${Date.now()}.js`, project);
  try {
    await writeFile(unfinished, text);
    // The file itself is looked at, as the next release will have it.
    const { projection, createDecode } = (await import(unfinished.href)) as EarlierFold;
    const collection = collectionOf(projection);
    const file = `earlier/${collection}.js`;
    if (existsSync(new URL(file, project))) {
      throw new PermanentError(
        `${file} is there already: the fold of ${collection} is kept. Where that was a mistake, remove the file and its lines in earlier/index.ts.`,
      );
    }
    const decode = createDecode({ topicPrefix: '' });
    const made = await foldDigest(projection, { decode, topicName: (topic) => topic });
    // A fold that was changed before it was kept would be kept under the name of documents that it did not make.
    if ((FOLD_DIGESTS[collection] ?? made) !== made) {
      throw new PermanentError(
        `The fold of ${collection} is not the one that was released: freeze it before you change it ("git stash" puts a change aside).`,
      );
    }
    const index = new URL('earlier/index.ts', project);
    const listed = withEntry(await readFile(index, 'utf8'), projection);
    await writeFile(unfinished, headOf(projection) + text);
    await rename(unfinished, new URL(file, project));
    await writeFile(index, listed);
    return file;
  } finally {
    await rm(unfinished, { force: true });
  }
}
