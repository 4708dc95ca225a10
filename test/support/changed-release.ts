import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { changedCopy, type ChangedCopy } from './changed-copy.ts';
import { changesIn } from './changes-of-a-page.ts';

const GUIDE = join(import.meta.dirname, '../../docs/guides/upgrade.md');

/**
 * A release with another score, made as docs/guides/upgrade.md tells it: the fold of this one is kept, the formula
 * changed, the version raised.
 */
export async function nextRelease({ keeps = true } = {}): Promise<ChangedCopy> {
  const copy = changedCopy([]);
  if (keeps) await copy.freeze('listings');
  copy.change(changesIn(readFileSync(GUIDE, 'utf8')));
  return copy;
}
