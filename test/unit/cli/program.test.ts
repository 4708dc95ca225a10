import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { createProgram } from '../../../src/cli/program.ts';
import { showProgress } from '../../../src/cli/progress.ts';
import { table } from '../../../src/cli/table.ts';
import { commandSections, exampleCommands, helpOf, leavesOf, parse } from '../../support/command-line.ts';
import { unpadded } from '../../support/guides.ts';
import { runHere } from '../../support/run-here.ts';
import { words } from '../../support/words.ts';

const root = join(import.meta.dirname, '../../..');
const leaves = leavesOf(await createProgram(() => undefined));

test('docs/reference/commands.md says of every command, argument and option what --help says, and of nothing else', async () => {
  const file = join(root, 'docs/reference/commands.md');
  const page = readFileSync(file, 'utf8');
  const start = page.indexOf('\n## ') + 1;
  const expected = page.slice(0, start) + (await commandSections());
  // UPDATE_REFERENCE=1 writes the page anew; "npm run format" then aligns its tables.
  if (process.env['UPDATE_REFERENCE']) writeFileSync(file, expected);
  expect(unpadded(readFileSync(file, 'utf8'))).toBe(unpadded(expected));
});

describe('the help', () => {
  describe.each(leaves)('of $name', ({ name, command }) => {
    test('has an example of it, its exit codes, and --json', () => {
      const help = helpOf(command);
      const examples = exampleCommands(help).filter((args) => args.join(' ').startsWith(name));
      expect(examples).not.toEqual([]);
      expect(help).toMatch(/Exit codes: 0 .+, 1 .+, 2 .+\./);
      expect(help).toContain('--json');
    });

    test('shows how it is called here', () => {
      expect(helpOf(command)).toMatch(new RegExp(`^Usage: npm run -s catalog -- ${name} `));
      vi.stubEnv('CATALOG_COMMAND', 'docker compose run --rm catalog');
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(helpOf(command)).toMatch(new RegExp(`^Usage: docker compose run --rm catalog ${name} `));
    });
  });

  test('is written for each command, and for nothing else', () => {
    const written = readFileSync(join(root, 'src/cli/help.txt'), 'utf8').matchAll(/^# (.+)$/gm);
    expect([...written].map(([, name]) => name)).toEqual(leaves.map(({ name }) => name));
  });

  test('lists the commands in groups', async () => {
    const headings = [...helpOf(await createProgram(() => undefined)).matchAll(/^(\w+):$/gm)].map(
      ([, name]) => name,
    );
    expect(headings).toEqual(words('Options Run Events Operate Builds Analyse Keys Contract'));
  });

  test.each(['publish', 'keys', ''])('is shown by "help %s" too', async (name) => {
    const named = name === '' ? [] : [name];
    const asked = await runHere([...named, '--help'], {});
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: /) as string });
    expect(await runHere(['help', ...named], {})).toEqual(asked);
  });

  test('of a word that is no command is an error', async () => {
    const { code, stderr } = await runHere(['help', 'nonsense'], {});
    expect([code, stderr]).toEqual([2, 'catalog: There is no command nonsense.\n']);
  });
});

test('no text of the program names a command that nobody can run: a program "catalog" is not installed', () => {
  const sources = join(root, 'src');
  const names = new Set(leaves.map(({ name }) => name.split(' ')[0]));
  const told = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      readFileSync(join(sources, name), 'utf8')
        .matchAll(/["'`]catalog ([a-z]+)/g)
        .filter(([, command]) => names.has(command))
        .map(([text]) => `${name}: ${text}`)
        .toArray(),
    );
  expect(told).toEqual([]);
});

describe('progress in a file', () => {
  /** What is written on the standard error, by a clock that the test moves. */
  function writtenByTheClock(): string[] {
    vi.useFakeTimers();
    const written: string[] = [];
    const spy = vi
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => written.push(String(text)) > 0);
    onTestFinished(() => {
      spy.mockRestore();
      vi.useRealTimers();
    });
    return written;
  }

  test('says how long it will take once there is something to tell it by, and begins again with something else', () => {
    const written = writtenByTheClock();
    using progress = showProgress();
    progress.update('events projected', 0, 1000);
    vi.advanceTimersByTime(4000);
    progress.update('events projected', 0, 1000);
    vi.advanceTimersByTime(4000);
    progress.update('events projected', 800, 1000);
    progress.update('entries indexed', 5, 10);
    vi.advanceTimersByTime(1000);
    progress.update('entries indexed', 6, 10);
    expect(written).toEqual([
      '0 of 1,000 events projected\n',
      '800 of 1,000 events projected, 100/s, 2 s left\n',
      '6 of 10 entries indexed\n',
    ]);
  });
});

describe('every example', () => {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
  const texts = [
    ...leaves.map(({ name, command }) => [`${name} --help`, helpOf(command)] as const),
    ...pages.map((page) => [page, readFileSync(join(root, page), 'utf8')] as const),
  ].filter(([, text]) => exampleCommands(text).length > 0);

  test.each(texts)('in %s is a command line that is accepted', async (_where, text) => {
    for (const args of exampleCommands(text)) {
      if (args[0] === 'COMMAND') continue;
      await expect(parse(args), args.join(' ')).resolves.toBeUndefined();
    }
  });
});

test('a table is aligned, numbers to the right; a cell without a value shows a dash', () => {
  expect(
    table({ name: 'name', count: 'count', ends: 'end' }, [
      { name: 'a', count: 5, end: null },
      { name: 'longer', count: 1234, end: 'now' },
    ]),
  ).toEqual(['name    count  ends', 'a           5  -', 'longer  1,234  now']);
});
