import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { listings } from '../../projections/listings/index.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { arbitraryHistory } from '../support/arbitrary-events.ts';
import { decoded, measured, published, unpublished } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';
import { LAW_CASES, LAWS } from '../support/laws.ts';
import { specify } from '../support/specification.ts';

/** The samples of docs/guides/add-a-projection.md, run as they stand there. */

const ROOT = new URL('../../', import.meta.url);
const mentionView = z.strictObject({ days: z.int(), most: z.int() });

const folder = temporaryFolder();
let mentions: Projection;

beforeAll(async () => {
  const sample = (await blocks('ts'))[0]?.replaceAll("'../../", `'${fileURLToPath(ROOT)}`) ?? '';
  const file = join(folder, 'mentions.ts');
  await writeFile(file, sample);
  ({ mentions } = (await import(file)) as { mentions: Projection });
});

describe('the projection of the guide', () => {
  test.each(LAWS)('$title', (law) => {
    const events = arbitraryHistory(mentions.topics).map((history) => history.map(decoded));
    law.hold({ projection: mentions, view: mentionView, events }, LAW_CASES);
  });

  test('counts the days that were measured and finds the most mentions', () => {
    specify(mentions)(
      measured({ measured_at: '2026-11-01T10:00:00Z', mentions_30d: 7 }),
      measured({ measured_at: '2026-11-02T10:00:00Z', mentions_30d: 9 }),
      measured({ measured_at: '2026-11-02T11:00:00Z', mentions_30d: 8 }),
    ).thenShows({ days: 2, most: 8 });
  });
});

test('the specification in the guide holds', async () => {
  const [sample = ''] = await blocks('js');
  const file = join(folder, 'specification.js');
  await writeFile(file, `export const run = (given, published, unpublished) => {\n${sample}\n};\n`);
  const { run } = (await import(file)) as { run: (...names: readonly unknown[]) => void };
  run(specify(listings), published, unpublished);
  expect(sample).toContain('given(');
});

/** The code blocks of one language in the guide. */
async function blocks(language: string): Promise<readonly string[]> {
  const guide = await readFile(new URL('docs/guides/add-a-projection.md', ROOT), 'utf8');
  return [...guide.matchAll(new RegExp(`^ *\`\`\`${language}\n([^]*?)^ *\`\`\``, 'gm'))].map(([, code]) =>
    String(code),
  );
}
