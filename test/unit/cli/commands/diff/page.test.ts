import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { pageOf } from '../../../../../src/cli/commands/builds/diff/page.ts';
import type { Dot, Summary } from '../../../../../src/projecting/inspect/diff/summary.ts';
import type { Movement } from '../../../../../src/projecting/inspect/diff/movements.ts';
import { published, measured } from '../../../../support/events.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { HOSTILE } from '../../../../support/hostile-text.ts';
import { runHere } from '../../../../support/run-here.ts';
import { makeTwoBuilds } from '../../../../support/two-builds.ts';
import { words } from '../../../../support/words.ts';

/** The page that --html writes, made of entries whose every text tries to break out of it. */

const ATTACKS = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '<!--<script>',
  '</style><style>*{display:none}</style>',
  '</title><base href="//evil.example/">',
  ']]>&lt;&#x3c;script&#x3e;',
  ...Object.values(HOSTILE).map((text) => text.toWellFormed()),
];
const page = pageOf(...hostile());

/** Every text of it could be another's: names, ids, titles, categories, fields of a fold of a later release. */
function hostile(): readonly [Summary, readonly Dot[]] {
  const movements = ATTACKS.map((attack, at): Movement => ({
    id: attack,
    title: at % 2 === 0 ? attack : '',
    category: attack,
    score: { before: 50, after: 60, change: 10 },
    rank: { before: at + 1, after: at + 1, gained: 0 },
  }));
  const counts = { added: 0, removed: 0, changed: ATTACKS.length, unchanged: 0 };
  const summary: Summary = {
    before: ATTACKS.join(' '),
    after: ATTACKS.join(' '),
    compared_at: '2026-11-20T10:00:00.000Z',
    fields: ATTACKS,
    entries: { before: ATTACKS.length, after: ATTACKS.length },
    ...counts,
    changed_fields: ATTACKS.map((field) => ({ field, entries: 1 })),
    movements: { by_score: movements, by_rank: movements, first: movements },
  };
  return [summary, [{ before: 50, after: 60, entries: ATTACKS.length }]];
}

/** As a browser splits it: what stands in styles, and the markup around them. */
function split(): { readonly markup: string; readonly styles: readonly string[] } {
  const styles = new Array<string>();
  const markup = page.replaceAll(
    /<style([^>]*)>([^]*?)<\/style>/g,
    (_all, attributes: string, text: string) => {
      styles.push(text);
      return `<style${attributes}>`;
    },
  );
  return { markup, styles };
}

test('the page has its title, its captions, its chart and its tables', () => {
  const { markup } = split();
  const headings = [...markup.matchAll(/<h([12])>([^]*?)<\/h\1>/g)].map(([, , text]) => text);
  expect(headings).toEqual([
    expect.stringContaining(' compared with '),
    'Score before and after',
    'Largest movements in score',
    'Largest movements in rank',
    'The first afterwards',
    'Fields that changed most often',
  ]);
  expect([...markup.matchAll(/<desc id="(\w+)-text">[^<]{50,}</g)].map(([, id]) => id)).toEqual(['scores']);
});

describe('whatever an entry is called', () => {
  test('the page has the elements and attributes of ours, and no others', () => {
    const { markup, styles } = split();
    expect(styles).toHaveLength(1);
    const elements = new Set([...markup.matchAll(/<([a-z]\w*)/gi)].map(([, name]) => String(name)));
    expect([...elements].toSorted()).toEqual(
      words(
        'body desc div figcaption figure h1 h2 head html li line main meta ol p path span style svg table tbody td th thead title tr',
      ),
    );
    const tags = [...markup.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag);
    const attributes = new Set<string>(
      tags.flatMap((tag) => [...tag.matchAll(/\s([^\s=]+)="[^"]*"/g)].map(([, name]) => String(name))),
    );
    expect([...attributes].toSorted()).toEqual(
      words(
        'aria-hidden aria-label aria-labelledby charset class content d http-equiv id lang name preserveAspectRatio role scope stroke-width tabindex viewBox x1 x2 y1 y2',
      ),
    );
    expect(tags.filter((tag) => /[<>']/.test(tag.slice(1, -1)))).toEqual([]);
    expect(markup).not.toContain('<!--');
  });

  test('its title is shown as it is', () => {
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });
});

test('the page loads nothing, and lets no script run', () => {
  const { markup, styles } = split();
  expect(page).not.toContain('<script');
  expect(styles.join('\n')).not.toMatch(/url\(|@import/);
  const digest = createHash('sha256')
    .update(styles[0] ?? '')
    .digest('base64');
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(markup)?.[1];
  expect(policy?.replaceAll('&#39;', "'").split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${digest}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
});

test('a page takes the place of an older one whole, and leaves nothing beside it', async () => {
  const CATALOG_DATA = temporaryFolder();
  const file = join(CATALOG_DATA, 'diff.html');
  const events = [published(), measured()];
  await makeTwoBuilds(CATALOG_DATA, { live: events, shadow: events });
  writeFileSync(file, 'an older page');
  const args = ['builds', 'diff', 'live', 'weights', '--html', file];
  expect((await runHere(args, { CATALOG_DATA })).stderr).toContain(
    'exists: name another file, or add --force',
  );
  const { code, stdout, stderr } = await runHere([...args, '--force'], { CATALOG_DATA });
  expect({ code, stderr }).toEqual({ code: 0, stderr: `Written: ${file}\n` });
  expect(stdout).toContain('1 entry before, 1 after.\n');
  expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>[^]+ai-news[^]+<\/html>\s*$/);
  expect(readdirSync(CATALOG_DATA).filter((name) => name.includes('diff'))).toEqual(['diff.html']);
});

test('a page that cannot be written is found out before anything is read', async () => {
  const CATALOG_DATA = temporaryFolder();
  await makeTwoBuilds(CATALOG_DATA, { live: [published()], shadow: [published()] });
  const file = join(CATALOG_DATA, 'none', 'diff.html');
  const told = await runHere(['builds', 'diff', 'live', 'weights', '--html', file], { CATALOG_DATA });
  expect(told).toMatchObject({ code: 1, stdout: '' });
  expect(told.stderr).toMatch(/diff\.html cannot be written: (?!.*\.part)/);
});

test('a page of a read model without scores has no chart', () => {
  const [summary, dots] = hostile();
  expect(pageOf({ ...summary, movements: null }, dots)).not.toContain('<svg');
});
