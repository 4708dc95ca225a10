import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Every page of the repository. */
const PAGES = [
  ...readdirSync(root).map((name) => join(root, name)),
  ...['docs', 'deploy', 'bench', 'extras', 'src', 'test', 'earlier', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(root, folder, name),
    ),
  ),
].filter((path) => path.endsWith('.md') && !path.includes('node_modules'));

/** What a reader sees as text: examples are none. */
function textOf(page: string): string {
  return readFileSync(page, 'utf8')
    .replace(/^(```+).*?^\1/gms, '')
    .replace(/`[^`\n]*`/g, '');
}

/** What follows the # of a link to each heading, as GitHub and others make it. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(page, 'utf8').replace(/^(```+).*?^\1/gms, '');
  const seen = new Map<string, number>();
  const anchors = [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) => {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const anchor = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
  return new Set(anchors);
}

function brokenIn(page: string): readonly string[] {
  const targets = textOf(page)
    .matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|^\[[^\]]+\]: *(\S+)/gm)
    .map(([, inline, below]) => inline ?? below ?? '');
  return [...targets].filter((target) => {
    // A link of the served guide begins with `{root}`: test/e2e/api/pages.test.ts follows it.
    if (/^[a-z]+:|^\{/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
    if (!existsSync(file)) return true;
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
  });
}

test('every link of every page leads to a file that is there, and to a heading of it', () => {
  const broken = PAGES.flatMap((page) =>
    brokenIn(page).map((target) => `${relative(root, page)}: ${target}`),
  );
  expect(PAGES.length).toBeGreaterThan(60);
  expect(broken).toEqual([]);
});

/** Pages that say where in the code something is. */
const ABOUT_CODE = globSync(['docs/architecture.md', 'docs/design/*.md', 'docs/reference/*.md'], {
  cwd: root,
});
const CODE = globSync('{src,projections,earlier,test,bench,tools,deploy,extras,*.*}{,/**}', {
  cwd: root,
  exclude: ['**/node_modules/**'],
});

function codeIn(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^(```+).*?^\1/gms, '');
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

test('every file and folder that a page about the code names is there', () => {
  const named = ABOUT_CODE.flatMap((page) =>
    codeIn(page)
      .filter(
        (code) =>
          /^[\w.][\w./*{},-]*(\/|\.(ts|js|css|mjs))$/.test(code) || /^(src|test)\/[\w./-]+$/.test(code),
      )
      .map((code) => ({ page, code, path: code.replace(/\/$/, '') })),
  );
  const missing = named.filter(
    ({ path }) =>
      globSync(path, { cwd: root }).length === 0 &&
      !CODE.some((file) => file.endsWith(`/${path}`) || file === path),
  );
  expect(named.length).toBeGreaterThan(400);
  expect(missing).toEqual([]);
});

test('every name of the code that a page of the design names is in the sources', () => {
  const sources = CODE.filter((file) => /\.(ts|js|json|yml)$/.test(file)).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const words = new Set(sources.join('\n').match(/[A-Za-z_]\w*/g));
  const named = ABOUT_CODE.filter((page) => !page.startsWith('docs/reference/')).flatMap((page) =>
    codeIn(page)
      .filter((code) => /^([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]+_[A-Z_]+)$/.test(code))
      .map((code) => `${page}: ${code}`),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !words.has(name.split(': ')[1] ?? ''))).toEqual([]);
});

test('every case that a guarantee names by its title is in the file that it names', () => {
  const text = readFileSync(join(root, 'docs/reference/guarantees.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const named = [...text.matchAll(/`([\w./-]+\.ts)`((?:[,;]? "[^"]+")+)/g)].flatMap(
    ([, file = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  );
  const missing = named.filter(({ file, title }) => {
    const sources = CODE.filter((path) => `/${path}`.endsWith(`/${file}`));
    // A long title is shown in part.
    const parts = title.split('...').map((part) => part.trim());
    return !sources.some((path) => {
      const source = readFileSync(join(root, path), 'utf8');
      return parts.every((part) => source.includes(part));
    });
  });
  expect(named.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
