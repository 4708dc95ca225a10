import { beforeAll, expect, test } from 'vitest';

import { listings } from '../../../../../projections/listings/index.ts';
import { newKey } from '../../../../../src/access/keys/format.ts';
import { LISTINGS } from '../../../../support/collections.ts';
import { measured, published } from '../../../../support/events.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { DECEIVES, HOSTILE } from '../../../../support/hostile-text.ts';
import { runHere } from '../../../../support/run-here.ts';
import { makeTwoBuilds, otherScores, SHADOW } from '../../../../support/two-builds.ts';

/** A store whose texts somebody else could have written: the fold itself would have refused them. */

const CATALOG_DATA = temporaryFolder();
const KEY = newKey();
const TEXT = `${Object.values(HOSTILE).join(' ')} ${KEY}`.toWellFormed();

beforeAll(async () => {
  const events = [published(), measured()];
  const named = { title: { en: TEXT, ru: TEXT }, category: TEXT, [TEXT]: TEXT };
  await makeTwoBuilds(
    CATALOG_DATA,
    { live: events, shadow: events },
    {
      ...otherScores,
      view: (id, registers) => ({ ...otherScores.view(id, registers), ...named }),
      documentId: (event) => listings.documentId(event),
    },
  );
});

test.each([[[]], [['--json']], [['--ndjson']], [['--key', 'ai-news']], [['--key', 'ai-news', '--json']]])(
  'with %j nothing comes out that steers a terminal, or that is a key',
  async (options) => {
    const { code, stdout, stderr } = await runHere(['diff', LISTINGS, SHADOW, ...options], {
      CATALOG_DATA,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('\\u001b[2J');
    for (const line of stdout.split('\n')) expect(line).not.toMatch(DECEIVES);
    expect(stdout).not.toMatch(/^catalog: forged/m);
    expect(stdout).not.toContain(KEY.slice(9, 20));
  },
);
