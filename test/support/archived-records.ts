import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * Every record of an archive, after its partition, whatever file it stands in, without what the log has added: what each says
 * and where. The prefix of topics is no part of it.
 */
export function recordsIn(folder: string): readonly string[] {
  const lines = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson.gz'))
    .toSorted()
    .flatMap((name) => {
      const text = gunzipSync(readFileSync(join(folder, name))).toString();
      return text
        .trimEnd()
        .split('\n')
        .map((line) => ({ partition: name.slice(0, name.lastIndexOf('/')), line }));
    });
  return lines.map(({ partition, line }) => {
    const { position, key, value, value_base64 } = JSON.parse(line) as Record<string, unknown>;
    return `${partition} ${JSON.stringify({ position, key, value, value_base64 })}`;
  });
}
