import { expect, test } from 'vitest';

import { readFile, sourcesWhere } from '../support/sources.ts';

/** `warn: event parked`, of every call of a logger in the sources. */
function saidIn(source: string): readonly string[] {
  return [...source.matchAll(/\blogger\??\.(trace|debug|info|warn|error|fatal)\(/g)].map((call) => {
    const args = argumentsFrom(source, call.index + call[0].length);
    const [, message] = /'([^']+)',?\s*$/.exec(args) ?? [];
    return `${call[1]}: ${message ?? `no message in (${args})`}`;
  });
}

/** The text from an open bracket to the one that closes it. */
function argumentsFrom(source: string, start: number): string {
  let depth = 1;
  let end = start;
  while (depth > 0 && end < source.length) {
    if (source[end] === '(') depth += 1;
    if (source[end] === ')') depth -= 1;
    end += 1;
  }
  return source.slice(start, end - 1);
}

test('docs/reference/logs.md lists every message with its level, and nothing else', () => {
  const said = sourcesWhere(() => true).flatMap((path) => saidIn(readFile(path)));
  const listed = [
    ...readFile('docs/reference/logs.md').matchAll(/^\| `(.+?)` +\| (debug|info|warn|error|fatal) +\|/gm),
  ].map(([, message, level]) => `${level}: ${message}`);
  expect(said.length).toBeGreaterThan(20);
  expect(listed.toSorted()).toEqual([...new Set(said)].toSorted());
});
