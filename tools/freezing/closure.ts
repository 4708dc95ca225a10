import { readFile } from 'node:fs/promises';

import { importsOf } from '../../src/projecting/engine/sources.ts';

/** Files of a project by their paths in it: those named, and all that they import, types too. */
export async function closureOf(
  project: URL,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const pending = paths.map((path) => new URL(path, project));
  for (let url = pending.pop(); url; url = pending.pop()) {
    const path = url.href.slice(project.href.length);
    if (found.has(path)) continue;
    const text = await readFile(url, 'utf8');
    found.set(path, text);
    pending.push(...importsOf(url, text, { types: true }));
  }
  return found;
}
