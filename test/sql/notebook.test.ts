import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { messageOf } from '../../src/platform/errors.ts';
import { temporaryFolder } from '../support/folder.ts';
import { commandsIn, readFile } from '../support/guides.ts';
import { runHere } from '../support/run-here.ts';
import { openYear } from '../support/year.ts';
import { ask } from './stage.ts';
import { forAllTests } from '../support/for-each-test.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const guide = readFile('docs/guides/notebook.md');
const commands = commandsIn(guide);

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
  const year = forAllTests(openYear);
  let folder: string;
  let interpreter: string | null;
  const startedIn = process.cwd();
  beforeAll(async () => {
    await runHere(['shadows', 'replay', 'listings', '--into', 'weights'], year.env);
    folder = temporaryFolder();
    mkdirSync(join(folder, 'extras'));
    cpSync(join(root, 'extras/sql'), join(folder, 'extras/sql'), {
      recursive: true,
      filter: (name) => !name.includes('node_modules'),
    });
    interpreter = await python(folder);
    process.chdir(folder);
  });
  afterAll(() => process.chdir(startedIn));

  const ours = commands.filter((command) => command.startsWith('npm run -s catalog -- '));

  test.each(ours)('%s', async (command) => {
    const [, ...args] = argumentsOf(command.replace(/^.* -- /, 'catalog '));
    const { code, stderr } = await runHere(args, year.env);
    expect(code, stderr).toBe(0);
  });

  test('finds a quarter of metrics, week by week, a year of records, and incidents of each target', async () => {
    const weeks = await ask(year.env, "SELECT DISTINCT date_trunc('week', day) AS week FROM metrics");
    expect(weeks.rows.length).toBeGreaterThan(12);
    const months = await ask(
      year.env,
      "SELECT DISTINCT strftime(recorded_at, '%Y-%m') AS month FROM events WHERE topic = 'catalog.entries'",
    );
    expect(months.rows.length).toBeGreaterThan(11);
    const found = await ask(
      year.env,
      'SELECT target, count(*)::INTEGER AS many FROM incidents GROUP BY target ORDER BY target',
    );
    expect(found.rows.map(({ target }) => target)).toEqual(['bot_api', 'client', 'web']);
    for (const { many } of found.rows) expect(many).toBeGreaterThan(20);
  });

  test('shows a query of a shadow beside the live build that is accepted', async () => {
    const [, sql = ''] = /^```sql\n([^]+?)^```/m.exec(guide) ?? [];
    const { code, stderr } = await runHere(['query', sql], year.env);
    expect(code, stderr).toBe(0);
  });

  test('has an example in Python that reads the exported file', async ({ skip }) => {
    if (interpreter === null) return skip('no Python with DuckDB and pandas');
    const { stdout } = await run(interpreter, ['extras/sql/example.py'], { cwd: folder });
    expect(stdout).toContain('DATE');
    expect(stdout).toMatch(/^ *[\w-]+ +(channel|bot|miniapp) +\d{4}-\d\d-\d\d +\d+ +\d+ +\d+\.\d$/m);
    expect(stdout).toMatch(/^kind +bot +channel +miniapp/m);
  });

  test('names every command of the example in it', () => {
    const example = readFileSync(join(root, 'extras/sql/example.py'), 'utf8');
    const [, told = ''] = /`(npm run[^`]+)`/.exec(example) ?? [];
    expect(guide).toContain(told);
  });
});
