import { expect, test } from 'vitest';

import { readAssets } from '../../../../src/api/pages/shell/assets.ts';

const assets = readAssets();

test('a file of pages is found under a name that holds its digest, and under no other', () => {
  const name = assets.nameOf('search.js');
  expect(name).toMatch(/^search\.[\w-]{12}\.js$/);
  expect(assets.find(name)?.contentType).toBe('text/javascript; charset=utf-8');
  expect(assets.find('search.js')).toBeUndefined();
});

test('a page that names a file which is not there cannot be made', () => {
  expect(() => assets.nameOf('serach.js')).toThrow('serach.js');
});
