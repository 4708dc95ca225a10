import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { content } from '../../../projections/listings/document.ts';
import { listings } from '../../../projections/listings/index.ts';
import { loadFormula } from '../../../src/operations/replay/formula.ts';
import { PermanentError, UsageError } from '../../../src/platform/errors.ts';
import { decoded, measured, published, unpublished } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { fold } from '../../support/laws.ts';

const folder = temporaryFolder();
const SHIPPED = fileURLToPath(new URL('../../../projections/listings/score.ts', import.meta.url));
const IMPORT = `import { scoreOf as shipped } from '${SHIPPED}';`;

/** A file of its own each time: a module is loaded once. */
let files = 0;
function written(text: string): string {
  files += 1;
  const file = join(folder, `formula-${files}.ts`);
  writeFileSync(file, text);
  return file;
}

const registers = fold(listings, [
  decoded(published({ verified: true })),
  decoded(measured({ subscribers: 5000, avg_views: 700 })),
]) as Parameters<typeof listings.view>[1];
const gone = fold(listings, [decoded(unpublished())]) as typeof registers;

describe('a formula of a file', () => {
  test('makes the score, and nothing else of a view', async () => {
    const file = written(`${IMPORT}
      export function scoreOf(content, shown) {
        const { value, ...score } = shipped(content, shown);
        return { ...score, value: content.verified ? 100 : 0, formula: 'all-or-nothing' };
      }`);
    const { projection, digest } = await loadFormula(file);
    const { score, ...rest } = projection.view('ai-news', registers) as never as Record<string, object>;
    const { score: shipped, ...others } = listings.view('ai-news', registers) as never as Record<
      string,
      object
    >;
    expect(rest).toEqual(others);
    expect(score).toEqual({ ...shipped, value: 100, formula: 'all-or-nothing' });
    expect(await digest()).toMatch(/^[\w-]{43}$/);
  });

  test('is the shipped one where it does as that does, byte for byte', async () => {
    const { projection } = await loadFormula(written(`export { scoreOf } from '${SHIPPED}';`));
    expect(JSON.stringify(projection.view('ai-news', registers))).toBe(
      JSON.stringify(listings.view('ai-news', registers)),
    );
  });

  test('is given what the shipped one is given: content and metrics, no score that is made already', async () => {
    const file = written(`${IMPORT}
      export function scoreOf(content, shown) {
        throw new Error(Object.keys(content).toSorted() + ' ' + Object.keys(shown).toSorted());
      }`);
    const { projection } = await loadFormula(file);
    const fields = Object.keys(content.shape).toSorted().join();
    expect(() => projection.view('ai-news', registers)).toThrow(`"${fields} kind,metrics"`);
  });

  test('is not asked about what nobody sees', async () => {
    const { projection } = await loadFormula(written('export function scoreOf() { throw new Error(); }'));
    expect(projection.view('ai-news', gone)).toEqual({ published: false });
  });

  test('has the digest of what it makes: another one for other scores, whatever the words', async () => {
    const digests = await Promise.all(
      ['1', '1; // a remark behind it', '2'].map(async (number) => {
        const file = written(`${IMPORT}
          const NUMBER = ${number};
          export function scoreOf(content, shown) { return { ...shipped(content, shown), value: NUMBER }; }`);
        return await (await loadFormula(file)).digest();
      }),
    );
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });
});

test.each([
  ['no such file', null, /^There is no file \S+\. Give a module like projections\/listings\/score\.ts\.$/],
  ['no code', 'export const {', /^\S+ cannot be loaded: .+$/],
  ['another export', 'export const score = 1;', /^\S+ exports no function scoreOf\(content, shown\), .+\.$/],
])('a formula that is none is one line: %s', async (_what, text, message) => {
  const file = text === null ? join(folder, 'none.ts') : written(text);
  const thrown: unknown = await loadFormula(file).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(text === null ? UsageError : PermanentError);
  expect((thrown as Error).message).toMatch(message);
});

test.each([
  ['a throw', `throw new Error('no\\nway')`, 'it throws "no way"'],
  [
    'too much',
    `return { ...shipped(content, shown), value: 101 }`,
    'value: Too big: expected number to be <=100',
  ],
  [
    'a promise',
    `return Promise.reject(new Error('late'))`,
    'it returns a promise, and has to return a score',
  ],
  [
    'an unknown part',
    `const score = shipped(content, shown); return { ...score, breakdown: [{ ...score.breakdown[0], key: 'luck' }] }`,
    'breakdown.0.key: Invalid option: expected one of "audience"|"engagement"|"growth"|"activity"|"trust"',
  ],
  [
    'a change of what it was given',
    `shown.metrics.history.length = 0; return shipped(content, shown)`,
    `it throws "Cannot assign to read only property 'length' of object '[object Array]'"`,
  ],
  [
    'chance',
    `return { ...shipped(content, shown), value: Math.floor(Math.random() * 1e9) / 1e7 }`,
    'asked twice it makes two different scores, and nothing could be compared',
  ],
])('a score that is none names the entry and the reason: %s', async (_what, body, reason) => {
  const file = written(`${IMPORT}\nexport function scoreOf(content, shown) { ${body}; }`);
  const { projection } = await loadFormula(file);
  expect(() => projection.view('ai-news', registers)).toThrow(
    new PermanentError(`${file} makes no score of ai-news: ${reason}.`),
  );
});
