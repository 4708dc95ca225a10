import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { checkArchive, type Checked } from '../../../../src/events/archive/check.ts';
import { openArchive } from '../../../../src/events/archive/reading.ts';
import { openSqliteLog } from '../../../../src/events/log/sqlite.ts';
import { createRandom } from '../../../../src/sample/random.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { archived, changeLine, filesIn, fill, many, newFolder, record, recordsIn } from './stage.ts';

let folder: string;
let path: string;
let whole: Buffer;
beforeAll(async () => {
  folder = newFolder();
  await using log = openSqliteLog(join(temporaryFolder(), 'log.db'));
  const value = (key: string | null) => `{"of":"${key}","rest":"${'x'.repeat(50)}"}`;
  await fill(
    log,
    many(300).map(({ key }) => record(key, value(key))),
    2,
  );
  await archived(log, folder);
  path = filesIn(folder)[0] ?? '';
  whole = readFileSync(join(folder, path));
});

async function check(): Promise<Checked> {
  return await checkArchive(await openArchive(folder), { signal: new AbortController().signal });
}

/** Damages the file, and puts it right again. */
async function damaged<T>(damage: (file: string) => void, look: () => Promise<T>): Promise<T> {
  try {
    damage(join(folder, path));
    return await look();
  } finally {
    writeFileSync(join(folder, path), whole);
  }
}

describe('damage is found, and named by its file', () => {
  test('an archive that is whole has none', async () => {
    expect(await check()).toEqual({ files: 2, records: 300, readable: 300, damaged: [] });
  });

  const random = createRandom('flipped bytes');
  const places = Array.from({ length: 100 }, () => ({
    at: random.uniform(),
    bit: Math.floor(random.uniform() * 8),
  }));
  test('wherever one bit is flipped', async () => {
    for (const { at, bit } of places) {
      const flip = (file: string): void => {
        const bytes = Buffer.from(whole);
        const index = Math.floor(at * bytes.length);
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        writeFileSync(file, bytes);
      };
      const found = await damaged(flip, check);
      expect(found.damaged.map(({ first }) => first.path)).toEqual([path]);
      const [{ first, records, readable } = { first: null, records: 0, readable: 0 }] = found.damaged;
      expect(readable).toBeLessThanOrEqual(records);
      // Every line before the one that is named is readable.
      expect(readable).toBeGreaterThanOrEqual(Math.min(records, (first?.line ?? 0) - 2));
    }
  });

  test.each([
    ['a changed character', (line: string) => line.replace('xxx', 'xxy')],
    ['a changed number', (line: string) => line.replace('"position":4', '"position":5')],
    ['a changed checksum', (line: string) => line.replace(/"crc32":"./, '"crc32":"g')],
    ['a line that was taken out', () => ''],
    ['a line that is no JSON', () => 'hello'],
  ])('by its line too: %s', async (_what, change) => {
    const found = await damaged((file) => changeLine(file, 6, change), check);
    expect(found.damaged).toMatchObject([{ first: { path, line: 6 }, places: 1 }]);
    const [{ records, readable } = { records: 0, readable: 0 }] = found.damaged;
    expect(readable).toBe(records - 1);
  });

  test('a line that stands twice', async () => {
    const twice = (file: string) => changeLine(file, 6, (line) => `${line}\n${line}`);
    expect((await damaged(twice, check)).damaged).toMatchObject([{ first: { path, line: 7 } }]);
  });

  test('a file that was cut, or is missing', async () => {
    const cut = await damaged((file) => truncateSync(file, Math.floor(whole.length / 2)), check);
    expect(cut.damaged).toMatchObject([{ first: { path, problem: 'unexpected end of file' } }]);
    expect(cut.damaged[0]?.readable).toBeGreaterThan(0);
    const missing = await damaged((file) => rmSync(file), check);
    expect(missing.damaged).toMatchObject([
      { first: { path, line: 1, problem: 'it is missing' }, readable: 0 },
    ]);
  });

  test('a file that took the place of another one', async () => {
    const other = readFileSync(join(folder, filesIn(folder)[1] ?? ''));
    const found = await damaged((file) => writeFileSync(file, other), check);
    expect(found.damaged).toMatchObject([
      { first: { path, line: 1, problem: 'it does not describe this file' } },
    ]);
  });
});

describe('reading a damaged archive', () => {
  test('ends with the file, the line, and what is readable', async () => {
    await damaged(
      (file) => changeLine(file, 6, () => 'hello'),
      () =>
        expect(recordsIn(folder)).rejects.toThrow(
          `${join(folder, path)}, line 6: it is not as it was written. What stands before position 4 is readable; "archive --check" says what else is.`,
        ),
    );
  });

  test('goes on with the rest where it is told to', async () => {
    const told: unknown[] = [];
    const options = { onDamage: (damage: object) => told.push(damage) };
    const records = await damaged(
      (file) => changeLine(file, 6, () => 'hello'),
      () => recordsIn(folder, options),
    );
    expect(records).toHaveLength(299);
    expect(told).toHaveLength(1);
  });
});

describe('a manifest', () => {
  test.each([
    ['with a changed byte', (text: string) => text.replace('"records": ', '"records": 1')],
    ['that was cut', (text: string) => text.slice(0, -40)],
    ['that is something else', () => '[]'],
  ])('%s is refused', async (_how, change) => {
    const file = join(folder, 'manifest.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, change(before));
    await expect(openArchive(folder)).rejects.toThrow(/^\S+manifest\.json is damaged/);
    writeFileSync(file, before);
  });

  test('that is missing is told as that', async () => {
    await expect(openArchive(newFolder())).rejects.toThrow(
      /^There is no archive and no backup in \S+: manifest\.json is missing/,
    );
  });
});
