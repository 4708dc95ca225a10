import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openPastStage } from '../support/past-stage.ts';

/** docs/guides/ask-the-history.md, run as it stands. */
const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/guides/ask-the-history.md'), 'utf8');
const scripts = [...page.matchAll(/^```sh\n(.+?)^```$/gms)].map(([, script]) => String(script));

test('the history is asked as the guide tells it', async () => {
  // Topics and documents are there, as after a first start.
  await using stage = await openPastStage();
  const [begin = '', life = '', seen = '', scripted = '', unpublished = '', ...more] = scripts;
  expect(more).toEqual([]);
  const begun = await sh(begin, stage.folder);
  expect(begun.code, begun.stderr).toBe(0);

  const told = await sh(life, stage.folder);
  expect(told.code).toBe(0);
  // The very steps that the guide shows.
  const [, shown = ''] = /^```text\n(.+?)^```$/ms.exec(page) ?? [];
  for (const line of shown.trimEnd().split('\n')) {
    const [what = '', details = ''] = line.split(/ {2,}/);
    const [before = '', after = ''] = details.split('...');
    expect(told.stdout).toMatch(
      new RegExp(`^.*\\b${escaped(what)}.*${escaped(before)}.*${escaped(after)}$`, 'm'),
    );
  }

  const answer = await sh(seen, stage.folder);
  expect(JSON.parse(answer.stdout)).toMatchObject({
    slug: 'my-life',
    title: 'My life',
    metrics: { subscribers: 1500 },
  });
  expect(answer.stderr).toContain(': 200. Made by the folds ');
  expect(JSON.parse((await sh(scripted, stage.folder)).stdout)).toMatchObject({
    slug: 'my-life',
    status: 200,
  });
  expect((await sh(unpublished, stage.folder)).stdout).toMatch(/^my-life +My new life .+ owner_request +-$/m);
}, 120_000);

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** `npm run` is what package.json says. */
function sh(script: string, folder: string) {
  const text = script
    .replaceAll('npm run -s catalog --', `"${process.execPath}" "${join(root, 'src/main.ts')}"`)
    .replaceAll(/^node /gm, `"${process.execPath}" `);
  const env = { ...process.env, CATALOG_DATA: folder, CATALOG_SAMPLE: 'off', LOG_LEVEL: 'silent' };
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      execFile('sh', ['-c', text], { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
    },
  );
}
