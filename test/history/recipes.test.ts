import { expect, test } from 'vitest';

import { changedCopy } from '../support/changed-copy.ts';
import { scriptsIn, sh } from '../support/guides.ts';
import { RECIPES } from '../support/recipes.ts';

test('the project with all that the recipes add compiles, and the tests that they name are green', async () => {
  const copy = changedCopy([], { isWhole: true });
  const run = async (script: string, env = {}): Promise<void> => {
    const { code, stdout, stderr } = await sh(script, copy.folder, env);
    expect(code, `${script}\n${stdout.slice(-5000)}\n${stderr}`).toBe(0);
  };
  const text = RECIPES.map((recipe) => recipe.text).join('\n');
  const [freeze = '', print = '', ...more] = scriptsIn(text);
  expect(more).toEqual([]);
  await run(freeze);
  copy.change(RECIPES.flatMap(({ changes }) => changes));
  await run(print);
  await run('node_modules/.bin/tsc --noEmit');
  const named = [...text.matchAll(/`npm test -- ([^`]+)`/g)].flatMap(([, files = '']) => files.split(/\s+/));
  // A guide may also name all laws, for whoever wants to try them at length.
  const files = named.filter((file) => file !== 'test/laws');
  expect(files.length).toBeGreaterThan(15);
  await run(`node_modules/.bin/vitest run ${files.join(' ')}`, { LAW_CASES: '20' });
});
