import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * Every record of an archive, after its partition, whatever file it stands in: what it says and where, without what the log
 * has added to it. The prefix of topics is no part of it.
 */
export function recordsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson.gz'))
    .toSorted()
    .flatMap((name) => {
      const lines = gunzipSync(readFileSync(join(folder, name)))
        .toString()
        .trimEnd()
        .split('\n');
      return lines.map((line) => `${name.slice(0, name.lastIndexOf('/'))} ${saidBy(line)}`);
    });
}

function saidBy(line: string): string {
  const { position, key, value, value_base64 } = JSON.parse(line) as Record<string, unknown>;
  return JSON.stringify({ position, key, value, value_base64 });
}
