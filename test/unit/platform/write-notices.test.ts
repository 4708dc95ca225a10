import { appendFileSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, onTestFinished, test, vi } from 'vitest';

import { noticesOf, type WriteNotices } from '../../../src/platform/write-notices.ts';
import { temporaryPath } from '../../support/temporary-path.ts';

test('a write of another process is noticed, and from then on notices are believed', async () => {
  const { path, notices } = setUp();
  const noticed = new Promise<void>((resolve) => notices.listen(() => resolve()));
  expect(notices.areBelieved).toBe(false);
  appendFileSync(path, 'x');
  await noticed;
  expect(notices.areBelieved).toBe(true);
});

test('notices stay believed while each write of this process is noticed', async () => {
  const { path, notices } = setUp();
  notices.listen(() => undefined);
  for (let count = 0; count < 50; count += 1) {
    appendFileSync(path, 'x');
    notices.written();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    expect(notices.areBelieved).toBe(true);
  }
});

test('a notice says whether it is that of a write of this process', async () => {
  const { path, notices } = setUp();
  const told: boolean[] = [];
  notices.listen((isOwn) => told.push(isOwn));
  appendFileSync(path, 'x');
  notices.written();
  await vi.waitUntil(() => told.length === 1);
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  appendFileSync(path, 'x');
  await vi.waitUntil(() => told.length === 2);
  expect(told).toEqual([true, false]);
});

test('where a write of this process is not noticed, they are not believed any more', async () => {
  const { path, notices } = setUp();
  const noticed = new Promise<void>((resolve) => notices.listen(() => resolve()));
  appendFileSync(path, 'x');
  await noticed;
  // The file that is watched is not the one that is written.
  notices.written();
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(notices.areBelieved).toBe(false);
  appendFileSync(path, 'x');
  notices.written();
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(notices.areBelieved).toBe(false);
});

test('a file that is made with the first write is watched from then on', async () => {
  const { path, remove } = temporaryPath('late');
  onTestFinished(remove);
  const notices = opened(path);
  notices.listen(() => undefined);
  writeFileSync(path, 'x');
  notices.written();
  appendFileSync(path, 'x');
  notices.written();
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(notices.areBelieved).toBe(true);
});

function setUp(): { readonly path: string; readonly notices: WriteNotices } {
  const { path, remove } = temporaryPath('written');
  onTestFinished(remove);
  writeFileSync(path, '');
  return { path, notices: opened(path) };
}

function opened(path: string): WriteNotices {
  const notices = noticesOf(path);
  onTestFinished(() => notices[Symbol.dispose]());
  return notices;
}
