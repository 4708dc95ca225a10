import { expect, test } from 'vitest';

import { preconditionOf } from '../../../../src/api/http/precondition.ts';

test('an entity tag matches weakly, in lists, and only when quoted', () => {
  const tag = 'W/"abc"';
  const matching = [tag, '"abc"', '"x", W/"abc"', ' "abc" ,"y"'];
  const others = [undefined, '', 'abc', 'W/abc', '"ab"', '"abcd"', 'w/"abc"', '"x", *', 'W/*', '"*"', '**'];
  expect(matching.filter((header) => !preconditionOf(header, tag).isNotModified)).toEqual([]);
  expect(matching.filter((header) => !preconditionOf(header, tag).isNamed)).toEqual([]);
  expect(others.filter((header) => preconditionOf(header, tag).isNotModified)).toEqual([]);
});

test('a tag that a proxy has marked with its content coding is the tag', () => {
  const tag = 'W/"abc"';
  for (const marked of ['"abc-gzip"', 'W/"abc-br"', '"x", W/"abc;gzip"', '"abc--gzip"', 'W/"abc-zstd"'])
    expect(preconditionOf(marked, tag)).toEqual({ isNotModified: true, isNamed: true });
  for (const other of ['"abc-gzip', 'abc-gzip', '"abd-gzip"', '"abc-zip"', '"abcgzip"', '"abc-gzip-gzip"'])
    expect(preconditionOf(other, tag).isNotModified).toBe(false);
  expect(preconditionOf('"a-br"', 'W/"a-br"').isNamed).toBe(true);
});

test('who takes any tag, alone or beside the right one, has named none', () => {
  const tag = 'W/"abc"';
  for (const any of ['*', ' * ', `*,${tag}`, `${tag}, *`, `"abc" ,W/*`, `${tag}, "*"`]) {
    expect(preconditionOf(any, tag)).toEqual({ isNotModified: true, isNamed: false });
  }
});
