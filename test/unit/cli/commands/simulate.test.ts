import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { number } from '../../../../src/texts/english-amounts.ts';
import { createProgram } from '../../../../src/cli/program.ts';
import { run } from '../../../../src/cli/run.ts';
import { install } from '../../../support/process.ts';
import { withoutProgress } from '../../../support/without-progress.ts';
import { forAllTests } from '../../../support/for-each-test.ts';

const catalog = forAllTests(install);

/** It would go on for a minute. */
const ENDLESS = ['simulate', '--events', '10000000'];
const SMALL = ['simulate', '--entries', '20', '--days', '2', '--events', '300'];

describe('catalog simulate', () => {
  test('prints as many lines as it was asked for, and nothing else; publish takes them all', async () => {
    const { code, stdout, stderr } = await catalog.catalog(SMALL);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(301);
    const checked = await catalog.catalog(['publish', '--dry-run', '--json', '-'], { input: stdout });
    expect(JSON.parse(checked.stdout)).toMatchObject({ valid: 300, invalid: 0 });
  });

  test('ends quietly when its reader has seen enough', async () => {
    const { child } = catalog.start(ENDLESS);
    const said = stderrOf(child);
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(withoutProgress(said())).toBe('');
  });

  test('ends when it is told to, and says that it was not done', async () => {
    const { child } = catalog.start(ENDLESS);
    const said = stderrOf(child);
    child.stdout?.once('data', () => child.kill('SIGINT'));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(said()).toContain('catalog: stopped before it was done.');
  });

  test('is explained in docs/guides/simulate.md with every option and its default', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/guides/simulate.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(--[a-z]+)` +\| (\S+) +\|/gm)];
    const options = (await createProgram(() => undefined)).commands
      .find((command) => command.name() === 'simulate')
      ?.options.filter(({ long }) => long !== '--json')
      .map(({ long, defaultValue, defaultValueDescription }) => [
        long,
        defaultValueDescription
          ? `\`${defaultValueDescription}\``
          : defaultValue === undefined
            ? 'off'
            : number(Number(defaultValue)),
      ]);
    expect(rows.map(([, name, preset]) => [name, preset])).toEqual(options);
  });

  test.each([
    [['--entries', '0'], /--entries .+ from 1 to 1,000,000/],
    [['--days', '3651'], /--days .+ from 1 to 3,650/],
    [['--events', '1e6'], /--events .+ from 1 to 100,000,000/],
    [['--seed', '-1'], /--seed .+ from 0 to/],
    [['--end', 'tomorrow'], /--end .+ RFC 3339/],
    [['--entries', '500', '--events', '537'], /--events must be at least 538 with 500 entries/],
    [['--days', '2', '--end', '1970-01-02T00:00:00Z'], /must not begin before 1970/],
  ])('refuses %j and says what it accepts', async (args, explanation) => {
    const said: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    onTestFinished(() => write.mockRestore());
    expect(await run(['node', 'catalog', 'simulate', ...args])).toBe(2);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(explanation);
  });
});

function stderrOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: string) => (text += chunk));
  return () => text;
}
