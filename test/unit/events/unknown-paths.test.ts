import { expect, test } from 'vitest';

import { unknownPaths } from '../../../src/events/publishable.ts';

test('fields that the schema dropped are told by their paths, whatever they hold once', () => {
  const received = {
    revision: 1,
    desciption: { en: 'a slip', ru: 'описка' },
    title: { en: 'a', de: 'b' },
    links: [
      { rel: 'a', titel: 1 },
      { rel: 'b', titel: 2 },
    ],
  };
  const kept = { revision: 1, title: { en: 'a' }, links: [{ rel: 'a' }, { rel: 'b' }] };
  expect(unknownPaths(received, kept)).toEqual([
    'data.desciption',
    'data.title.de',
    'data.links[].titel',
    'data.links[].titel',
  ]);
  expect(unknownPaths(kept, kept)).toEqual([]);
});

test('a field is not taken for known because every object inherits its name', () => {
  expect(unknownPaths(JSON.parse('{"__proto__":1,"constructor":1}'), {})).toEqual([
    'data.__proto__',
    'data.constructor',
  ]);
});
