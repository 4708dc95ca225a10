import { execFile, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { TEXTS } from '../../../src/texts/texts.ts';
import { GUIDE_PAGES } from '../../../src/api/pages/docs/guide-sections.ts';
import { ROUTES } from '../../../src/api/routes.ts';
import { runCatalogPages, snippetsOf, type Snippet } from '../../support/pages.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { forAllTests } from '../../support/for-each-test.ts';

/** What the developer page offers to be copied, copied and run. */

const api = forAllTests(runCatalogPages);
const folder = temporaryFolder();

const has = (command: string) => spawnSync(command, ['--version']).status === 0;

/** In one language: a test of the guide says that the code is the same in the other one. */
const locale = 'en';

describe('the programs of the guide', () => {
  let snippets: readonly Snippet[];
  beforeAll(async () => {
    const pages = ['', ...GUIDE_PAGES.map((name) => `/${name}`)];
    const read = pages.map(async (page) => await (await fetch(`${api.url}/docs/${locale}${page}`)).text());
    snippets = (await Promise.all(read)).flatMap(snippetsOf);
  });

  const theOne = (language: string, holding: string): string => {
    const found = snippets.filter((one) => one.language === language && one.text.includes(holding));
    expect(found, `${language} with ${holding}`).toHaveLength(1);
    return String(found[0]?.text);
  };

  test.skipIf(!has('bash'))('the key is read from the terminal, unseen', async () => {
    const { stdout } = await run('bash', ['-c', `${theOne('sh', 'read ')}; echo "<$CATALOG_KEY>"`], {
      CATALOG_KEY: '',
      input: 'a key that was pasted\n',
    });
    expect(stdout).toBe('<a key that was pasted>\n');
  });

  test.skipIf(!has('curl'))('curl gets a 200', async () => {
    const { stdout } = await run('bash', ['-c', theOne('sh', 'limit=3')]);
    expect(stdout).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(stdout).toContain('"query":"python"');
  });

  test.skipIf(!has('curl'))('curl asks again for nothing', async () => {
    for (const file of ['top.etag', 'top.json']) rmSync(join(folder, file), { force: true });
    const text = theOne('sh', '--etag-compare');
    expect((await run('bash', ['-c', text])).stdout).toBe('200 1\n');
    expect((await run('bash', ['-c', text])).stdout).toBe('304 0\n');
  });

  test('JavaScript prints the entries; without a good key, the reason', async () => {
    const file = program('first.mjs', theOne('javascript', 'limit=3'));
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect((await run(process.execPath, [file], { CATALOG_KEY: 'no key' })).stderr).toContain('API');
  });

  test.each(['first', 'all', 'typed'])(
    'the program %s, run without the key, is told to send one',
    async (name) => {
      const text = {
        first: () => theOne('javascript', 'limit=3'),
        all: () => theOne('javascript', 'links.next'),
        typed: () => theOne('typescript', 'components'),
      }[name];
      // JavaScript as JavaScript: Node takes time to get ready for types.
      const file = program(`${name}.${name === 'typed' ? 'mts' : 'mjs'}`, String(text?.()));
      const { stderr } = await run(process.execPath, [file], { CATALOG_KEY: null });
      expect(stderr).toContain(TEXTS[locale].api.problems.no_key);
    },
  );

  test('JavaScript follows the pages to the last one', async () => {
    const { body } = await api.get('/search?q=python&limit=1');
    expect(body.total).toBeGreaterThan(3);
    const { stdout } = await run(process.execPath, [program('all.mjs', theOne('javascript', 'links.next'))]);
    expect(stdout.trim().split('\n')).toHaveLength(Number(body.total));
  });

  test.skipIf(!has('python3'))('Python prints the entries; without a good key, the reason', async () => {
    const file = program('first.py', theOne('python', 'limit=3'));
    expect((await run('python3', [file])).stdout.trim().split('\n')).toHaveLength(3);
    const refused = await run('python3', [file], { CATALOG_KEY: 'no key' });
    expect(refused.stderr).toContain('API');
    expect(refused.stderr).not.toContain('Traceback');
  });

  test('TypeScript names types that the description has, and runs', async () => {
    const text = theOne('typescript', 'components');
    const { components } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
      readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
    };
    const named = [...text.matchAll(/Schemas\['(\w+)'\]/g)].map(([, name]) => name);
    expect(named).toEqual(['Top', 'Error']);
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(named));
    const { stdout } = await run(process.execPath, [program('typed.mts', text)]);
    expect(stdout).toMatch(/^1 /);
  });
});

const interpreters = { sh: 'bash', javascript: process.execPath, python: 'python3' } as const;

test.each(Object.entries(interpreters))(
  'the samples of the reference in %s are answered',
  async (language, interpreter) => {
    if (language !== 'javascript' && !has(interpreter)) return;
    const all = snippetsOf(await (await fetch(`${api.url}/docs/en/reference`)).text());
    const samples = all.filter((one) => one.language === language);
    // One for each address; the example of an entry is not in this catalog.
    expect(samples).toHaveLength(ROUTES.length);
    for (const { text } of samples.filter((one) => !one.text.includes('/listings/'))) {
      const file = program(`reference.${language === 'javascript' ? 'mjs' : language}`, text);
      const { stdout } = await run(interpreter, [file]);
      expect(stdout, text).toMatch(language === 'sh' ? /^HTTP\/1\.1 200 OK/ : /locale|uptime/);
    }
  },
);

function program(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  /** Null: not set. */
  readonly CATALOG_KEY?: string | null;
  readonly input?: string;
}

function run(
  file: string,
  args: readonly string[],
  { CATALOG_KEY = api.key, input = '' }: Surroundings = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const key = CATALOG_KEY === null ? {} : { CATALOG_KEY };
    const env = { PATH: process.env['PATH'] ?? '', ...key, PYTHONIOENCODING: 'utf-8' };
    const child = execFile(file, args, { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}
