import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { PARTS, REASONS } from '../../../../projections/listings/document.ts';
import { LOCALES, TEXTS } from '../../../../src/texts/texts.ts';
import { COUNTING, guideConstants } from '../../../../src/api/pages/docs/guide-constants.ts';
import { CHANGELOG } from '../../../../src/api/pages/docs/changelog-feed.ts';
import { contentHtml, lineHtml } from '../../../../src/api/pages/docs/markdown-html.ts';
import {
  parseSection,
  sectionMarkdown,
  readGuide,
  SECTIONS,
  sectionOf,
} from '../../../../src/api/pages/docs/guide-sections.ts';
import { escaped } from '../../../../src/api/pages/docs/guide-tables.ts';
import { docsContextIn } from '../../../../src/api/pages/docs/docs-context.ts';
import { html } from '../../../../src/api/pages/shell/html.ts';
import { ERROR_CODES } from '../../../../src/api/problems.ts';
import { status } from '../../../../src/monitor/status-schema.ts';
import { DEFAULT_POLICY } from '../../../../src/monitor/policy.ts';
import { leavesOf } from '../../../support/leaves.ts';

const root = join(import.meta.dirname, '../../../..');
const guide = readGuide();
const facts = { dailyLimit: 1000, policy: DEFAULT_POLICY, hasAccounts: true, guide };
const contexts = LOCALES.map((locale) => docsContextIn(locale, 'https://a.example', facts, '../'));
const english = docsContextIn('en', 'https://a.example', facts, '../');
const source = (locale: (typeof LOCALES)[number], name: (typeof SECTIONS)[number]) =>
  guide[locale].get(name) ?? '';

test.each(LOCALES)('a file stands for each section, and no other, in %s', (locale) => {
  const files = readdirSync(join(root, 'src/api/pages/docs/guide', locale));
  expect(files.toSorted()).toEqual(SECTIONS.map((name) => `${name}.md`).toSorted());
});

test.each(contexts)(
  'constants are given where they are named, and named where they are given, in $locale',
  (one) => {
    const texts = [
      ...guide[one.locale].values(),
      ...leavesOf(TEXTS[one.locale].docs).map(([, text]) => text),
    ];
    // curl's own are apart, and the page fills in how long an answer took.
    const named = texts.flatMap((text) =>
      [...text.matchAll(/(?<!%)\{(?!time\})([\w.]+)\}/g)].map(([, name]) => String(name)),
    );
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(guideConstants(one)).toSorted());
  },
);

describe.each(SECTIONS)('%s', (name) => {
  test('has the same anchors, code, constants and addresses in both languages', () => {
    const [russian, other] = LOCALES.map((locale) => source(locale, name));
    expect(anchorsOf(String(russian))).toEqual(anchorsOf(String(other)));
    expect(markedIn(String(russian))).toEqual(markedIn(String(other)));
    expect(programsIn(String(russian))).toEqual(programsIn(String(other)));
  });

  test('is Russian in Russian: no text is left in English', () => {
    const blocks = source('ru', name)
      .replaceAll(/^```[^`]*^```$/gm, '')
      .trim()
      .split(/\n\n|\n(?=- )/)
      .filter((block) => !/^$|^\{[\w.]+\}$/.test(block) && !/^## `\w+` \{#\w+\}$/.test(block));
    expect(blocks.filter((block) => !/[а-яё]/i.test(block))).toEqual([]);
  });
});

test('what has names has each of them in the guide, in order', () => {
  const terms = (name: (typeof SECTIONS)[number], pattern: RegExp) =>
    [...source('en', name).matchAll(pattern)].map(([, term]) => term);
  expect(terms('errors', /^## `(\w+)`/gm)).toEqual(ERROR_CODES);
  expect(terms('monitor', /^\| `(\w+)`/gm)).toEqual(status.shape.state.options);
  expect(terms('score', /^\| .* `(\w+)`/gm)).toEqual(PARTS);
  expect(terms('score', /^- `(\w+)`/gm)).toEqual(REASONS);
  expect(terms('changelog', /\{#change-(\w+)\}/g)).toEqual(CHANGELOG.map(({ name }) => name));
});

describe('docs/reference says the same as the guide', () => {
  const reference = (name: string) => readFileSync(join(root, 'docs/reference', name), 'utf8');

  test('of every error code', () => {
    const paragraphs = (page: string) =>
      [...page.matchAll(/^## `(\w+)`.*?\n\n(.*?)\n\n/gms)].map(([, code, text = '']) => [
        code,
        text.replaceAll('\n', ' '),
      ]);
    expect(paragraphs(source('en', 'errors'))).toHaveLength(ERROR_CODES.length);
    expect(paragraphs(reference('errors.md'))).toEqual(paragraphs(source('en', 'errors')));
  });

  test('of what counts', () => {
    const rows = (page: string) =>
      [...page.matchAll(/^\| (.+?) +\| +([01]) +\|$/gm)].map(([, text, cost]) => [text, cost]);
    const counting = rows(english.fill(source('en', 'limits')));
    expect(counting.map(([, cost]) => Number(cost))).toEqual(Object.values(COUNTING));
    expect(rows(reference('api.md'))).toEqual(counting);
  });
});

describe('Markdown', () => {
  test('becomes markup: code, links, words that matter, and words that are filled in', () => {
    expect(String(lineHtml('`a` [b](#c) **d** *e*'))).toBe(
      '<code translate="no">a</code> <a href="#c">b</a> <strong>d</strong> <var translate="no">e</var>',
    );
  });

  test.each([
    `<script>alert(1)</script>`,
    `<img src=x onerror='alert(1)'>`,
    '[x](javascript:alert(1)) **b**',
    'a*b*_c_`d` ~e~ |f|',
    '&lt;b&gt;',
  ])('takes no text that is put into it for a mark: %s', (text) => {
    expect(String(lineHtml(escaped(text)))).toBe(String(html`${text}`));
  });

  test('is given to programs without anchors, its headings one level lower on the first page', () => {
    const section = parseSection('x', '# A\n\n## C {#c}\n\nd\n\n## `e` {#e}\n\nf\n');
    expect(section.parts.map(({ id, title }) => [id, title])).toEqual([
      ['c', 'C'],
      ['e', 'e'],
    ]);
    expect(sectionMarkdown(section, 2)).toBe('## A\n\n### C\n\nd\n\n### `e`\n\nf\n');
  });

  test('of every section becomes markup whole: nothing of it is shown as it is written', () => {
    for (const context of contexts) {
      for (const name of SECTIONS) {
        const text = String(contentHtml(sectionOf(name, context), 2)).replaceAll(/<code[^]*?<\/code>/g, '');
        expect(text, `${context.locale} ${name}`).not.toMatch(/\*\*|\]\(|\{#|^\|/m);
      }
    }
  });
});

function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/\{#([\w-]+)\}$/gm)].map(([, anchor]) => String(anchor));
}

/** The code of a section, without its captions. */
function programsIn(text: string): readonly string[] {
  return [...text.matchAll(/^```(\w+) .*?\n(.*?)^```$/gms)].map(
    ([, language, code]) => `${language}: ${code}`,
  );
}

/** What must be in both: constants, code, and addresses of links. */
function markedIn(text: string): readonly string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '');
  return [...new Set([...prose.matchAll(/\{[\w.]+\}|`[^`]+`|\]\([^)]+\)/g)].map(([one]) => one))].sort();
}
