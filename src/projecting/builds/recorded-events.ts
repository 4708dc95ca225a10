import { readdir, readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

import type { CloudEvent } from '../../events/envelope.ts';
import type { Projection } from '../engine/projection.ts';

const FOLDER = new URL('../../../projections/recorded/', import.meta.url);
/** 4,000 events of all read models, a half of them as odd as our schemas allow. */
const OF_ALL = 'events.ndjson.gz';

/**
 * The events that tell a fold from others, in the order that they were recorded in: those for all read models, then those
 * that a version of this one brought along (`listings@3.ndjson`), up to a version. So what a version is told by stays
 * when a later one brings more. Of those for all, one in so many may do (`oneIn`).
 */
export async function recordedEvents(
  { name, version }: Pick<Projection, 'name' | 'version'>,
  oneIn = 1,
): Promise<readonly CloudEvent[]> {
  const brought = (await readdir(FOLDER))
    .flatMap((file) => {
      const [, of, from] = /^([a-z]+)@(\d+)\.ndjson$/.exec(file) ?? [];
      return of === name && Number(from) <= version ? { file, from: Number(from) } : [];
    })
    .toSorted((a, b) => a.from - b.from);
  const lines = gunzipSync(await readFile(new URL(OF_ALL, FOLDER)))
    .toString()
    .split('\n')
    .filter((_line, at) => at % oneIn === 0);
  for (const { file } of brought) lines.push(...(await readFile(new URL(file, FOLDER), 'utf8')).split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as CloudEvent);
}
