import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { RECIPES } from '../support/recipes.ts';

/** What test/history/recipes.test.ts follows has to fit the sources: a quick look, after every change of them. */

const root = join(import.meta.dirname, '../..');

describe.each(RECIPES)('the recipe for $what', ({ section, changes }) => {
  test('touches as many files as it says', () => {
    const said = [...section.matchAll(/\*\*(\d+)(?: files| more)\*\*/g)].map(([, count]) => Number(count));
    expect(said).not.toEqual([]);
    const files = new Set(changes.map(({ file }) => file));
    expect(files.size).toBe(said.reduce((sum, count) => sum + count, 0));
  });

  test('adds files that are not there, and changes what stands in a file once', () => {
    const misfits = changes.filter(({ file, at }) => {
      const path = join(root, file);
      if (at === undefined) return existsSync(path);
      return !existsSync(path) || readFileSync(path, 'utf8').split(at).length !== 2;
    });
    expect(misfits).toEqual([]);
  });

  test('imports what files export', () => {
    const exportsOf = (path: string): string =>
      changes.find(({ file, at }) => file === path && at === undefined)?.text ??
      readFileSync(join(root, path), 'utf8');
    const missing = changes.flatMap(({ file, text }) =>
      [...text.matchAll(/^import (?:type )?\{([^}]+)\} from '(\.[^']+)'/gm)].flatMap(
        ([, names = '', from = '']) => {
          const source = exportsOf(join(dirname(file), from));
          const imported = names.split(',').map((name) => name.replace(/^\s*type /, '').trim());
          return imported.filter((name) => !new RegExp(`^export (?:[\\w*]+ )+${name}\\b`, 'm').test(source));
        },
      ),
    );
    expect(missing).toEqual([]);
  });
});
