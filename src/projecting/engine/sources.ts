import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { sha256 } from '../../platform/canonical.ts';

interface FoldSources {
  readonly roots: readonly URL[];
  /** Files that say why something was refused, and decide nothing. */
  readonly without?: readonly URL[];
}

/**
 * The digest of what a fold is made of: the projection's files, and those of ours that they import (event schemas,
 * registers). It is kept with the alias, so that a changed fold under an unchanged version is noticed at start.
 *
 * Comments, blank lines and indentation do not count: a better sentence must not force a rebuild.
 */
export async function sourcesDigest({ roots, without = [] }: FoldSources): Promise<string> {
  const texts = new Map<string, string>();
  const pending = [...roots];
  const ignored = new Set(without.map(({ href }) => href));
  for (let url = pending.pop(); url; url = pending.pop()) {
    if (texts.has(url.href) || ignored.has(url.href)) continue;
    const text = await readFile(fileURLToPath(url), 'utf8');
    texts.set(url.href, text);
    pending.push(...importsOf(url, text));
  }
  // Ordered by content alone, so that where the project stands on the disk does not matter.
  return sha256([...texts.values()].map(withoutComments).sort().join('\n'));
}

/** The files of ours that a file imports when it runs; those of types too where they are asked for. */
export function importsOf(url: URL, text: string, { types = false } = {}): readonly URL[] {
  return [...text.matchAll(IMPORT)].flatMap(([, type, specifier = '']) =>
    type === undefined || types ? [new URL(specifier, url)] : [],
  );
}

/** A relative import; whether it is of types alone, which are gone when the code runs. */
const IMPORT = /^(?:import|export)( type\b)?[^;]*? from '(\.[^']+)';$/gms;

/** Line comments and documentation blocks stand on lines of their own in this project (the formatter sees to it). */
function withoutComments(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(\/\/|\/\*|\*)/.test(line))
    .join('\n');
}
