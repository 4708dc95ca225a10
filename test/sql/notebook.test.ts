import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { messageOf } from '../../src/platform/errors.ts';
import { openAnalysed, type Analysed } from '../support/analysts.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runHere } from '../support/run-here.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/notebook.md'), 'utf8');
const commands = [...guide.matchAll(/^```sh\n([^]+?)^```/gm)].flatMap(([, block]) =>
  String(block).trim().split('\n'),
);

/** The arguments of a command of ours, as a shell would give them. */
function argumentsOf(command: string): readonly string[] {
  const words = command.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'));
}

/** The packages of the example; null, with the reason on the screen, where they cannot be had. */
async function python(folder: string): Promise<string | null> {
  const [make, install] = commands.filter(
    (command) => /venv|pip/.test(command) && !command.includes('example.py'),
  );
  try {
    for (const command of [make, install]) {
      const [program = '', ...args] = argumentsOf(String(command));
      const inFolder = program.startsWith('.') ? join(folder, program) : program;
      await run(inFolder, args, { cwd: folder, timeout: 500_000 });
    }
    return join(folder, '.venv/bin/python');
  } catch (thrown) {
    process.stdout.write(
      `   skipped: no Python with DuckDB and pandas here: ${messageOf(thrown).split('\n', 1)[0]}\n`,
    );
    return null;
  }
}

describe('docs/guides/notebook.md', () => {
  let analysed: Analysed;
  let folder: string;
  let interpreter: string | null;
  const startedIn = process.cwd();
  beforeAll(async () => {
    analysed = await openAnalysed();
    folder = temporaryFolder();
    mkdirSync(join(folder, 'extras'));
    cpSync(join(root, 'extras/sql'), join(folder, 'extras/sql'), {
      recursive: true,
      filter: (name) => !name.includes('node_modules'),
    });
    interpreter = await python(folder);
    process.chdir(folder);
  });
  afterAll(async () => {
    process.chdir(startedIn);
    await analysed[Symbol.asyncDispose]();
  });

  const ours = commands.filter((command) => command.startsWith('npm run -s catalog -- '));

  test.each(ours)('%s', async (command) => {
    const [, ...args] = argumentsOf(command.replace(/^.* -- /, 'catalog '));
    const { code, stderr } = await runHere(args, analysed.env);
    expect(code, stderr).toBe(0);
  });

  test('shows a query of a shadow beside the live build that is accepted', async () => {
    const [, sql = ''] = /^```sql\n([^]+?)^```/m.exec(guide) ?? [];
    const { code, stderr } = await runHere(['query', sql], analysed.env);
    expect(code, stderr).toBe(0);
  });

  test('has an example in Python that reads the exported file', async ({ skip }) => {
    if (interpreter === null) return skip('no Python with DuckDB and pandas');
    const { stdout } = await run(interpreter, ['extras/sql/example.py'], { cwd: folder });
    expect(stdout).toContain('DATE');
    expect(stdout).toMatch(/alpha +channel +2026-11-18 +900 +1000 +11\.1/);
    expect(stdout).toMatch(/2026-11-20.* 77.* 1000|2026-11-20.* 1000/);
  });

  test('names every command of the example in it', () => {
    const example = readFileSync(join(root, 'extras/sql/example.py'), 'utf8');
    const [, told = ''] = /`(npm run[^`]+)`/.exec(example) ?? [];
    expect(guide).toContain(told);
  });
});
