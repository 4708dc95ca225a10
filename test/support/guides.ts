import { execFile } from 'node:child_process';
import { join } from 'node:path';

import type { Finished } from './process.ts';

/** The commands and scripts that pages show, and a shell that runs them as they stand there. */

const ROOT = join(import.meta.dirname, '../..');

export { readFile } from './sources.ts';

/** The blocks of a page that a shell runs, or of those of its section that has this title. */
export function scriptsIn(page: string, title?: string): readonly string[] {
  const text = title === undefined ? page : sectionOf(page, title);
  return [...text.matchAll(/^( *)```sh\n([^]+?)^ *```$/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

function sectionOf(page: string, title: string): string {
  const found = page.split(/^##+ /m).find((section) => section.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`The page has no section ${title}`);
  return found;
}

/** The commands of such scripts, one a line; what a shell is given to read is none. */
export function commandsIn(page: string, title?: string): readonly string[] {
  return scriptsIn(page, title).flatMap((script) =>
    script
      .replaceAll(/<<'END'\n[^]*?^END$/gm, '')
      .split('\n')
      .map((line) => line.replace(/ {2,}#.*$/, ''))
      .filter((line) => line !== ''),
  );
}

/** Whether test/history/everyday-guides.test.ts runs a command of its pages. */
export function isEveryday(command: string): boolean {
  // A year is made for the guides that ask about one.
  return /^(?!CATALOG_|.*--year).*npm run -s catalog -- /.test(command);
}

/** Runs a script of a guide as it stands there: `npm run` is what package.json says. */
export function sh(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Finished> {
  const text = script
    .replaceAll('npm run -s catalog --', `"${process.execPath}" "${join(ROOT, 'src/main.mjs')}"`)
    .replaceAll('node_modules/.bin/node', `"${process.execPath}"`)
    .replaceAll("'./src/", `'${ROOT}/src/`);
  const given = { ...process.env, LOG_LEVEL: 'silent', ...env };
  const options = { cwd, env: given, maxBuffer: 2 ** 28 };
  return new Promise((resolve) => {
    execFile('sh', ['-c', text], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

/** A page as it is compared: its tables are padded to their widest cell. */
export function unpadded(text: string): string {
  return text.replace(/ +\|/g, ' |').replace(/-{3,}/g, '---').trim();
}
