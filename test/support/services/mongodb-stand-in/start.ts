import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cached, compileJava, fetchJars, has, startJava, type JavaProcess } from '../java.ts';

/**
 * A stand-in for MongoDB where neither a server nor Docker is: mongo-java-server speaks its protocol, in memory. A run
 * on it is no run on MongoDB: it has no sessions and no `explain`, accepts options that it ignores, and does one write
 * after the other.
 */
export const STAND_IN = 'mongo-java-server 1.47.0';

/** Null where Java or Maven is not here. */
export async function startStandIn(): Promise<JavaProcess | null> {
  if (!(await has('java', 'javac', 'mvn'))) return null;
  const folder = await install();
  const classpath = [join(folder, 'classes'), join(folder, 'lib', '*')].join(':');
  return await startJava(['-Xmx2g', '-cp', classpath, 'StandIn', '0'], /^READY (\d+)$/m);
}

/** The folder with `lib` and `classes`. */
export async function install(): Promise<string> {
  const launcher = await readFile(join(import.meta.dirname, 'StandIn.java'), 'utf8');
  return await cached('mongodb-stand-in', [STAND_IN, launcher, String(PATCHES)], async (folder) => {
    const server = { group: 'de.bwaldvogel', name: 'mongo-java-server', version: '1.47.0' };
    await fetchJars(folder, [server], ['mongo-java-server-core', 'mongo-java-server-memory-backend']);
    await writeFile(join(folder, 'StandIn.java'), launcher);
    const patched = await Promise.all(PATCHES.map((patch) => patchSource(folder, patch)));
    await compileJava(folder, [join(folder, 'StandIn.java'), ...patched]);
  });
}

/** A file, what is found in it, and what takes its place. */
type Patch = readonly [string, RegExp, string];

const PATCHES: readonly Patch[] = [
  // MongoDB orders text by its UTF-8 bytes; stock, the stand-in orders it by Java's UTF-16 units.
  [
    'ValueComparator',
    /value1\.toString\(\)\.compareTo\(value2\.toString\(\)\)/g,
    'java.util.Arrays.compareUnsigned(value1.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8), value2.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8))',
  ],
  // MongoDB never answers with half an update. Stock, documents change while other threads send them; here a copy is
  // changed (by `update` and `findAndModify`), and takes the document's place.
  [
    'AbstractMongoCollection',
    /for \(Document document : (queryDocuments\(selector, .*|handleQuery\(queryObject, .*)\) \{/g,
    'for (Document stored : $1) { Document document = stored.clone();',
  ],
  ['memory/MemoryCollection', /\/\/ noop/g, 'documents.set(position, newDocument);'],
];

async function patchSource(folder: string, [name, found, put]: Patch): Promise<string> {
  const file = join(folder, `sources/de/bwaldvogel/mongo/backend/${name}.java`);
  const source = await readFile(file, 'utf8');
  if (source.search(found) < 0) throw new Error(`${STAND_IN} has another ${name}`);
  await writeFile(file, source.replaceAll(found, put));
  return file;
}
