import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { changesIn } from './changes-of-a-page.ts';

/** The recipes of CONTRIBUTING.md, with all that their blocks change; the one of a projection goes on in its guide. */

const root = join(import.meta.dirname, '../..');
const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const sections = read('CONTRIBUTING.md').split(/^## /m);

export const RECIPES = ['a field', 'an endpoint', 'a projection', 'a page', 'an adapter'].map((what) => {
  const section = sections.find((one) => one.startsWith(`Add ${what}\n`)) ?? '';
  const text = section + (what === 'a projection' ? read('docs/guides/add-a-projection.md') : '');
  return { what, section, text, changes: changesIn(text) };
});
