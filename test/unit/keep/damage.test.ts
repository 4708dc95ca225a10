import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { openSqliteLog } from '../../../src/events/log/sqlite.ts';
import { damagedFiles } from '../../../src/keep/damaged-files.ts';
import { openArchive, segmentsOf } from '../../../src/keep/manifest.ts';
import { digestOf } from '../../../src/platform/canonical.ts';
import { createRandom } from '../../../src/sample/random.ts';
import { filesIn } from '../../support/archived-records.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { archived, damage, fill, many, newFolder, recordsIn } from './stage.ts';

let folder: string;
let path: string;
let whole: Buffer;
beforeAll(async () => {
  folder = newFolder();
  await using log = openSqliteLog(join(temporaryFolder(), 'log.db'));
  await fill(log, many(300), 2);
  await archived(log, folder);
  path = filesIn(folder)[0] ?? '';
  whole = readFileSync(join(folder, path));
});

/** The files that are damaged, and what is wrong with them; the file that `change` has changed is put right again. */
async function problems(change: (file: string) => void): Promise<readonly (readonly [string, string])[]> {
  try {
    change(join(folder, path));
    const signal = new AbortController().signal;
    const found = await damagedFiles(folder, segmentsOf((await openArchive(folder)).manifest), { signal });
    return found.map(({ file, problem }) => [file.path, problem]);
  } finally {
    writeFileSync(join(folder, path), whole);
  }
}

describe('damage is found, and named by its file', () => {
  test('an archive that is whole has none', async () => {
    expect(await problems(() => undefined)).toEqual([]);
    expect(await recordsIn(folder)).toHaveLength(300);
  });

  test('wherever one bit is flipped', async () => {
    const random = createRandom('flipped bytes');
    for (let time = 0; time < 100; time += 1) {
      const flip = (file: string): void => damage(file, random.uniform(), Math.floor(random.uniform() * 8));
      expect(await problems(flip)).toEqual([[path, 'it is not as it was written (SHA-256)']]);
    }
  });

  test.each([
    ['was cut', (file: string) => truncateSync(file, 100), /SHA-256/],
    ['is missing', (file: string) => rmSync(file), /^it is missing$/],
    [
      'took the place of another one',
      (file: string) => writeFileSync(file, readFileSync(join(folder, filesIn(folder)[1] ?? ''))),
      /SHA-256/,
    ],
  ])('a file that %s', async (_what, change, problem) => {
    expect(await problems(change)).toEqual([[path, expect.stringMatching(problem)]]);
  });
});

describe('a manifest', () => {
  /** With a digest that is right. */
  const sealed = (text: string, change: object): string => {
    const { digest: _, ...body } = { ...(JSON.parse(text) as object), ...change } as Record<string, never>;
    return JSON.stringify({ ...body, digest: digestOf(body) });
  };
  test.each([
    ['with a changed byte', (text: string) => text.replace('"records": ', '"records": 1'), /is damaged/],
    ['that was cut', (text: string) => text.slice(0, -40), /is damaged/],
    ['that is something else', () => '[]', /is damaged/],
    ['of an older release', (text: string) => sealed(text, { format: 1 }), /format 1, of an older release/],
    [
      'of a newer release',
      (text: string) => sealed(text, { format: 3 }),
      /format 3: a newer release made it/,
    ],
    ['of another kind', (text: string) => sealed(text, { kind: 'other' }), /is wrong at kind/],
    [
      'that leads out of its folder',
      (text: string) => sealed(text.replaceAll('.ndjson.gz', '/../x'), {}),
      /names a file that no archive has/,
    ],
  ])('%s is refused', async (_how, change, message) => {
    const file = join(folder, 'manifest.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, change(before));
    await expect(openArchive(folder)).rejects.toThrow(message);
    writeFileSync(file, before);
  });

  test('that is missing is told as that', async () => {
    await expect(openArchive(newFolder())).rejects.toThrow(
      /^There is no archive and no backup in \S+: manifest\.json is missing/,
    );
  });
});
