import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { published } from '../support/events.ts';
import { CONTENT, type Newcomer } from './newcomer-stage.ts';

export function describeMistakes(newcomer: () => Newcomer): void {
  describe('what goes wrong is said in one clear line', () => {
    test('a busy port', async () => {
      const { code, stderr } = await newcomer().catalog.catalog(['serve']);
      expect(stderr).toMatch(/^catalog: Port \d+ is in use\. .+\n$/);
      expect(code).toBe(1);
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
