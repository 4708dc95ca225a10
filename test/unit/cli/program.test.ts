import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';

import { createProgram } from '../../../src/cli/program.ts';
import { duration, table } from '../../../src/cli/output.ts';

const program = createProgram(() => undefined);

interface Listed {
  readonly name: string;
  readonly options: readonly string[];
}

function leaves(command: Command, prefix: string): readonly Listed[] {
  return command.commands.flatMap((sub): readonly Listed[] => {
    const name = `${prefix}${sub.name()}`;
    if (sub.commands.length > 0) return leaves(sub, `${name} `);
    return [{ name, options: sub.options.map((option) => String(option.long)) }];
  });
}

describe('the command line', () => {
  test('is listed whole in docs/reference/commands.md, options included, and nothing else is', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/commands.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z ]+)` +\|[^|]*\|([^|]*)\|$/gm)].map(([, name, options]) => ({
      name,
      options: [...String(options).matchAll(/`(--[a-z-]+)`/g)].map((match) => match[1]),
    }));
    expect(listed).toEqual(leaves(program, ''));
  });

  test('explains every command with an example', () => {
    for (const command of program.commands) {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      expect(help, command.name()).toContain('npm run -s catalog --');
    }
  });
});

describe('what is printed', () => {
  test.each([
    [850, '850 ms'],
    [4210, '4.2 s'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [273_600_000, '3 d 4 h'],
  ])('%i ms is shown as %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  test('a table is aligned, numbers to the right', () => {
    expect(
      table(
        ['name', 'count'],
        [
          ['a', 5],
          ['longer', 1234],
        ],
      ),
    ).toBe('name    count\na           5\nlonger  1,234');
  });
});
