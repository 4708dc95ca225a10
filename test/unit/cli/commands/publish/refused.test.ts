import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { published } from '../../../../support/events.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { runHere } from '../../../../support/run-here.ts';

/** Lines that are no events: what is said of them, and what becomes of those around them. */

const folder = temporaryFolder();
const publish = (args: readonly string[], input?: string) =>
  runHere(['publish', ...args], { CATALOG_DATA: folder }, input);
const GOOD = JSON.stringify(published());

test('each broken line of a file is named, and nothing is appended', async () => {
  const file = join(folder, 'events.ndjson');
  writeFileSync(file, [GOOD, GOOD.slice(0, 40), GOOD.replace('"revision":1', '"revision":"x"')].join('\n'));
  const { code, stdout, stderr } = await publish([file]);
  expect(stderr).toContain(`${file}:2: `);
  expect(stderr).toMatch(new RegExp(`${file}:3: .*revision`));
  expect(stdout).toContain('Nothing was appended');
  expect(code).toBe(1);
});

test('a slip in the name of a field that may be absent is told by its path', async () => {
  const input = JSON.stringify(published({ desciption: { en: 'x' } }));
  const { stderr } = await publish(['-', '--dry-run'], input);
  expect(stderr).toContain('Fields that nobody reads: data.desciption. ');
  const { stdout } = await publish(['-', '--dry-run', '--json'], input);
  expect(JSON.parse(stdout)).toMatchObject({
    unknown_fields: 1,
    unknown_field_paths: { 'data.desciption': 1 },
  });
});

test('what comes before a broken line on standard input is appended and counted, what follows is not read', async () => {
  const { code, stdout, stderr } = await publish(['-', '--json'], `${GOOD}\nrubbish\n${GOOD}\n`);
  expect(JSON.parse(stdout)).toMatchObject({ appended: 1, invalid: 1 });
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  const told = await publish(['-'], `rubbish\n${GOOD}\n`);
  expect(told.stderr).toMatch(/^standard input:1: .+\nWhat follows this line was not read\.\n/);
});
