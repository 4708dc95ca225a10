import { dirname, join, normalize, sep } from 'node:path';

import { expect, test } from 'vitest';

import { readFile, sourcesWhere } from '../support/sources.ts';
import { TABLE, type Row } from './table.ts';

interface Import {
  readonly file: string;
  /** A path from the project's root, or a package. */
  readonly target: string;
  readonly isOurs: boolean;
}

function importsOf(file: string): readonly Import[] {
  const text = readFile(file);
  const statements = /^(?:import|export)(?:[^;'=]* from)? '([^']+)';|\bimport\('([^']+)'\)/gm;
  const specifiers = [...text.matchAll(statements)].map((match) => String(match[1] ?? match[2]));
  return specifiers.map((specifier) =>
    specifier.startsWith('.')
      ? {
          file,
          target: normalize(join(dirname(file), specifier))
            .split(sep)
            .join('/'),
          isOurs: true,
        }
      : { file, target: packageOf(specifier), isOurs: false },
  );
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:';
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function rowOf(file: string): Row | undefined {
  return TABLE.filter((row) => file.startsWith(row.from)).sort((a, b) => b.from.length - a.from.length)[0];
}

function isAllowed(row: Row, { file, target, isOurs }: Import): boolean {
  if (!isOurs) return row.packages.includes(target);
  const ownFolder = file.split('/').slice(0, -1).join('/');
  // projections/index.ts is the one list of projections; a projection itself sees its own folder only.
  if (
    file.startsWith('projections/') &&
    (target.startsWith(`${ownFolder}/`) || file === 'projections/index.ts')
  ) {
    return true;
  }
  return row.ours.some((pattern) => matches(pattern, target));
}

function matches(pattern: string, target: string): boolean {
  if (pattern.endsWith('/')) return target.startsWith(pattern);
  const [before, after] = pattern.split('*');
  if (after === undefined) return pattern === target;
  const middle = target.slice(String(before).length, target.length - after.length);
  return target.startsWith(String(before)) && target.endsWith(after) && !middle.includes('/');
}

function tableText(): string {
  return TABLE.map(
    ({ from, ours, packages }) => `${from} may import ${[...ours, ...packages].join(' ')}`,
  ).join('\n');
}

const files = sourcesWhere(() => true);
const imports = files.flatMap(importsOf);

test('every import keeps to the table of who may import whom', () => {
  const broken = imports.filter((one) => {
    const row = rowOf(one.file);
    return !row || !isAllowed(row, one);
  });
  const listed = broken.map(({ file, target }) => `${file} imports ${target}`);
  expect(listed, `${listed.join('\n')}\n\nThe table:\n${tableText()}`).toEqual([]);
});

test('a vendor is known to one file', () => {
  const vendors = {
    'node:sqlite': ['src/platform/sqlite/node-sqlite.ts'],
    kafkajs: ['src/events/log/kafka/'],
    mongodb: ['src/stores/documents/mongodb/'],
    commander: ['src/cli/'],
    ora: ['src/cli/output.ts'],
  };
  for (const [vendor, homes] of Object.entries(vendors)) {
    const isImport = new RegExp(`(?:from |import\\()'${vendor}'`);
    const users = files.filter((file) => isImport.test(readFile(file)));
    const strangers = users.filter((file) => !homes.some((home) => file === home || file.startsWith(home)));
    expect(strangers, `${vendor} belongs in ${homes.join(', ')}`).toEqual([]);
  }
});

test('projections/ holds folds alone: every change there asks for a new version', () => {
  const run = new Set(['projections/index.ts', 'projections/recorded/fold-digests.ts']);
  for (const file of run)
    for (const { target } of imports.filter((one) => one.file === file && one.isOurs)) run.add(target);
  expect(files.filter((file) => file.startsWith('projections/') && !run.has(file))).toEqual([]);
});

test('nothing outside the tests imports a test', () => {
  expect(imports.filter(({ target }) => target.startsWith('test/'))).toEqual([]);
});

test('the imports were read', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(imports.some(({ target }) => target === 'src/projecting/engine/register.ts')).toBe(true);
});
