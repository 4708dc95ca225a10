import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { temporaryFolder } from '../support/folder.ts';

const root = temporaryFolder();
let project: string;
let projects = 0;
beforeEach(() => {
  projects += 1;
  project = join(root, String(projects));
  mkdirSync(project);
  copyFileSync(join(import.meta.dirname, '../../runtime.mjs'), join(project, 'runtime.mjs'));
});

/** The package of this platform; empty where the test has nothing to link. */
const platformPackage =
  process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch) ? `node-linux-${process.arch}` : '';

function run(): Promise<{ readonly code: number; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['runtime.mjs'], { cwd: project }, (error, _stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr });
    });
  });
}

test('without the packages, the scripts say to install them', async () => {
  expect(await run()).toEqual({
    code: 1,
    stderr: 'catalog: the packages are not installed. Run "npm ci" first.\n',
  });
});

test.runIf(platformPackage !== '')('a link that npm has taken away is made again, once', async () => {
  const bin = join(project, 'node_modules', platformPackage, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'node'), '');
  expect(await Promise.all([run(), run()])).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ]);
  const link = readlinkSync(join(project, 'node_modules/.bin/node'));
  expect(link).toBe(join('..', platformPackage, 'bin/node'));
  expect(await run()).toEqual({ code: 0, stderr: '' });
});
