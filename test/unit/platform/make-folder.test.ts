import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeFolder } from '../../../src/platform/make-folder.ts';
import { temporaryFolder } from '../../support/folder.ts';

const root = temporaryFolder();

test('a folder is made with those above it, and may be there already', () => {
  const folder = join(root, 'a/b/c');
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test('a file in its place, or above it, is an error', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(join(file, 'below'))).toThrow('ENOTDIR');
});

test.runIf(process.platform === 'linux')(
  'where no folder can be made, it fails instead of trying for ever',
  () => {
    expect(() => makeFolder('/proc/no/such/folder')).toThrow('ENOENT');
  },
);
