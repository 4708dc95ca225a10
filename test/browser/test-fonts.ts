import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { Page } from 'playwright-core';

/**
 * Pages are written in the fonts of their reader's system, in which lines end elsewhere on each machine. What is held
 * against a baseline is set in fonts that come with the tests, so that it is laid out the same everywhere.
 */
export async function setInTestFonts(page: Page): Promise<void> {
  await page.addStyleTag({ content: STYLES });
  await page.evaluate(async () => {
    // Fonts are asked for when something is laid out in them.
    document.body.getBoundingClientRect();
    await document.fonts.ready;
  });
}

const SUBSETS = ['latin', 'cyrillic'];

function facesOf(name: string): string {
  const styles = createRequire(import.meta.url).resolve(`@fontsource-variable/${name}/index.css`);
  const faces = readFileSync(styles, 'utf8').matchAll(/@font-face \{.*?url\((\S+?)\).*?\}/gs);
  return [...faces]
    .filter(([, file = '']) =>
      SUBSETS.some((subset) => file.endsWith(`/${name}-${subset}-wght-normal.woff2`)),
    )
    .map(([face, file = '']) => {
      const font = readFileSync(join(dirname(styles), file)).toString('base64');
      return face.replace(file, `data:font/woff2;base64,${font}`).replace('display: swap', 'display: block');
    })
    .join('\n');
}

const STYLES = `${facesOf('noto-sans')}
${facesOf('noto-sans-mono')}
:root { --sans: 'Noto Sans Variable'; --mono: 'Noto Sans Mono Variable'; }`;
