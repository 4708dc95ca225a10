import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { changedCopy, type ChangedCopy, type Place } from './changed-copy.ts';

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

/** Each line of a `diff` that is taken away, with the one that comes in its place. */
export function changesIn(guide: string): readonly Place[] {
  return [...guide.matchAll(/^```diff\n--- (\S+)\n(.+?)^```$/gms)].flatMap(([, file = '', lines = '']) =>
    [...lines.matchAll(/^-(.*)\n\+(.*)$/gm)].map(([, at = '', text = '']) => ({ file, at, text })),
  );
}
