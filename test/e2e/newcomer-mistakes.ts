import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { listings } from '../../projections/listings/index.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { published } from '../support/events.ts';
import { CONTENT, type Newcomer } from './newcomer-stage.ts';

export function describeMistakes(newcomer: () => Newcomer): void {
  describe('what goes wrong is said in one clear line', () => {
    const oneLine = /^catalog: [^\n]+\n$/;

    test('a busy port', async () => {
      const { code, stderr } = await newcomer().catalog.catalog(['serve']);
      expect(stderr).toMatch(/^catalog: Port \d+ is in use\. .+\n$/);
      expect(code).toBe(1);
    });

    test.each([
      ['an unknown command', ['strat']],
      ['an unknown flag', ['status', '--jsno']],
      ['a missing argument', ['publish']],
      ['a missing option', ['keys', 'create']],
      ['a lane that does not exist', ['start', '--accept-gap', `${collectionOf(listings)}/catalog.entries`]],
    ])('%s is a usage error', async (_case, args) => {
      const { code, stderr } = await newcomer().run(args);
      expect(stderr).toMatch(oneLine);
      expect(code).toBe(2);
    });

    test('a wrong variable is a usage error', async () => {
      const { code, stderr } = await newcomer().run(['status'], { env: { PORT: 'eighty' } });
      expect(stderr).toMatch(/^catalog: PORT is wrong: .+\n$/);
      expect(code).toBe(2);
    });

    test('a broken line in a file: it is named, and nothing is appended', async () => {
      const file = join(newcomer().catalog.folder, 'events.ndjson');
      const good = JSON.stringify(published({ subject: 'never-appended', revision: 1, ...CONTENT }));
      writeFileSync(
        file,
        `${good}\n${good.slice(0, 40)}\n${good.replace('"revision":1', '"revision":"x"')}\n`,
      );
      const { code, stdout, stderr } = await newcomer().run(['publish', file]);
      expect(stderr).toContain(`${file}:2: `);
      expect(stderr).toMatch(new RegExp(`${file}:3: .*revision`));
      expect(stdout).toContain('Nothing was appended');
      expect(code).toBe(1);
      expect((await newcomer().get('/listings/never-appended')).status).toBe(404);
    });

    test('a file that is no NDJSON in UTF-8: every line is refused, and it is said what is meant', async () => {
      const file = join(newcomer().catalog.folder, 'windows-1251.ndjson');
      const event = JSON.stringify(published({ subject: 'cyrillic', ...CONTENT, title: { ru: 'Ж' } }));
      const [before = '', after = ''] = event.split('Ж');
      writeFileSync(file, Buffer.from(`${before}\xc6${after}\n`, 'latin1'));
      const { code, stderr } = await newcomer().run(['publish', file, '--dry-run']);
      expect(stderr).toContain(`${file}:1: value: expected UTF-8`);
      expect(stderr).toContain('Give NDJSON in UTF-8');
      expect(code).toBe(1);
    });

    test('a slip in the name of a field that may be absent: it is told by its path', async () => {
      const input = JSON.stringify(published({ ...CONTENT, desciption: { en: 'x' } }));
      const { stderr } = await newcomer().run(['publish', '-', '--dry-run'], { input });
      expect(stderr).toContain('1 field that nobody reads: data.desciption.');
      const { stdout } = await newcomer().run(['publish', '-', '--dry-run', '--json'], { input });
      expect(JSON.parse(stdout)).toMatchObject({ unknown_field_paths: { 'data.desciption': 1 } });
    });

    test('a broken line on standard input: what came before it is appended, and counted', async () => {
      const good = JSON.stringify(published({ subject: 'appended', revision: 1, ...CONTENT }));
      const { code, stdout, stderr } = await newcomer().run(['publish', '-', '--json'], {
        input: `${good}\nrubbish\n${good}\n`,
      });
      expect(JSON.parse(stdout)).toMatchObject({ appended: 1, invalid: 1 });
      expect(stderr).toBe('');
      expect(code).toBe(1);
      const told = await newcomer().run(['publish', '-'], { input: `rubbish\n${good}\n` });
      expect(told.stderr).toMatch(/^standard input:1: .+\nWhat follows this line was not read\.\n/);
    });
  });
}
