import { changesIn } from './changes-of-a-page.ts';
import { readFile } from './guides.ts';

/** The recipes of CONTRIBUTING.md, with all that their blocks change; the one of a projection goes on in its guide. */

const sections = readFile('CONTRIBUTING.md').split(/^## /m);

export const RECIPES = ['a field', 'an endpoint', 'a projection', 'a page', 'an adapter'].map((what) => {
  const section = sections.find((one) => one.startsWith(`Add ${what}\n`)) ?? '';
  const text = section + (what === 'a projection' ? readFile('docs/guides/add-a-projection.md') : '');
  return { what, section, text, changes: changesIn(text) };
});
