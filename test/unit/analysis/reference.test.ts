import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { SQL_TYPES } from '../../../src/analysis/duckdb/load-view.ts';
import { VIEWS } from '../../../src/analysis/find-view.ts';
import { unpadded } from '../../support/guides.ts';

const file = join(import.meta.dirname, '../../../docs/reference/sql.md');

describe('docs/reference/sql.md', () => {
  test('has every view and column with its type and meaning, and nothing else', () => {
    const page = readFileSync(file, 'utf8');
    const start = page.indexOf('\n## listings') + 1;
    const expected = page.slice(0, start) + VIEWS.map(section).join('\n');
    // UPDATE_REFERENCE=1 writes the page again; "npm run format" then aligns its tables.
    if (process.env['UPDATE_REFERENCE']) writeFileSync(file, expected);
    expect(unpadded(readFileSync(file, 'utf8'))).toBe(unpadded(expected));
  });

  test('says which build every view but the log’s shows', () => {
    const page = readFileSync(file, 'utf8');
    for (const { name, readModel } of VIEWS) {
      expect(page).toContain(readModel === null ? `${name}\` is the log` : `\`${name}@`);
    }
  });
});

function section({ name, meaning, columns }: (typeof VIEWS)[number]): string {
  const rows = Object.entries(columns).map(
    ([column, { type, meaning: told }]) => `| \`${column}\` | ${SQL_TYPES[type]} | ${told} |\n`,
  );
  return `## ${name}\n\n${meaning}\n\n| column | type | meaning |\n| --- | --- | --- |\n${rows.join('')}`;
}
