import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

import { readConfig } from '../../src/config.ts';
import { root } from '../support/compose.ts';
import { temporaryFolder } from '../support/folder.ts';

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const [, build = '', final = ''] = dockerfile.split(/^FROM /m);
const ENTRYPOINT = /^ENTRYPOINT \["node", "(.+)"\]$/m;
/** What comes into the image from the project's folder. */
const copied = [...build.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources]) => String(sources).split(' '));

describe('the image', () => {
  test('has the Node that package.json pins, and no second one', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly optionalDependencies: Readonly<Record<string, string>>;
    };
    const pinned = [...new Set(Object.values(optionalDependencies))];
    const used = [...dockerfile.matchAll(/^FROM node:(\S+?)-trixie-slim/gm)].map(([, version]) => version);
    expect(used).toEqual([...pinned, ...pinned]);
    expect(build).toContain('--omit=optional');
  });

  test('takes packages as they are locked, those of development and their scripts left out', () => {
    expect(build).toMatch(/^RUN npm ci --omit=dev --omit=optional --workspaces=false --ignore-scripts /m);
    expect(copied).toContain('package-lock.json');
  });

  test('is run by nobody in particular, who may write nothing but the data', () => {
    const [, user] = /^USER (\d+):\d+$/m.exec(final) ?? [];
    expect(Number(user)).toBeGreaterThan(0);
    expect(build).toMatch(/^RUN chmod -R a\+rX,a-w \.$/m);
    expect(final).toMatch(/install -d -m 700 -o 1000 -g 1000 \/data$/m);
  });

  test('has nothing in it that installs packages', () => {
    for (const tool of ['npm', 'npx', 'corepack', 'yarn']) expect(final).toContain(`/usr/local/bin/${tool}`);
    expect(final).not.toMatch(/apt|apk|curl/);
  });

  test('starts nothing by itself, and no demo with a key for everybody unless it is asked for', async () => {
    expect(final).toMatch(/^CMD \[\]$/m);
    const [, set = ''] = /^ENV (.+)$/m.exec(final) ?? [];
    const environment = Object.fromEntries(
      set.split(' ').map((pair) => pair.split('=')) as [string, string][],
    );
    expect(readConfig(environment).sample).toBe('off');
    const [, entry = ''] = ENTRYPOINT.exec(final) ?? [];
    const asked = promisify(execFile)(process.execPath, [join(root, entry)], { env: environment });
    await expect(asked).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/serve[^]+project/) as string,
    });
  });

  test('is built of what .dockerignore lets through, and of nothing else', () => {
    const ignore = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    expect(ignore.filter((line) => line !== '' && !/^[#!]/.test(line))).toEqual(['*']);
    const passing = ignore.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    expect(copied.toSorted()).toEqual(passing.toSorted());
  });

  test('has everything that a command reads', async () => {
    const folder = temporaryFolder();
    for (const source of copied) cpSync(join(root, source), join(folder, source), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const [, entry = ''] = ENTRYPOINT.exec(final) ?? [];
    const { stdout } = await promisify(execFile)(process.execPath, [entry, 'openapi'], {
      cwd: folder,
      maxBuffer: 1 << 24,
    });
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0' });
  });
});
