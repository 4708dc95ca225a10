import { expect, test, vi } from 'vitest';

import { published } from '../../../../support/events.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { runHere } from '../../../../support/run-here.ts';

/** Lines of the terminal: how many are open, and the most that were at once. */
const lines = vi.hoisted(() => ({ open: 0, most: 0, all: 0 }));

vi.mock('../../../../../src/cli/output.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  openLine: () => {
    let isOpen = true;
    lines.open += 1;
    lines.all += 1;
    lines.most = Math.max(lines.most, lines.open);
    return {
      show: () => undefined,
      end: () => {
        if (isOpen) lines.open -= 1;
        isOpen = false;
      },
    };
  },
}));

/** The log is never read: what the wait shows is what counts. */
vi.mock('../../../../../src/projecting/inspect/progress.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  waitFor: async () => 'halted',
}));

test('what publish appends and what it waits for are shown on one line, one after the other', async () => {
  const env = { CATALOG_DATA: temporaryFolder() };
  const { stdout } = await runHere(['publish', '-', '--wait'], env, JSON.stringify(published()));
  expect(stdout).toBe('1 event appended.\n');
  expect(lines).toEqual({ open: 0, most: 1, all: 1 });
});
