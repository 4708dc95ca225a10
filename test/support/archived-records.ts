import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Every record of an archive, after its partition, whatever file it stands in. The prefix of topics is no part of it. */
export function linesIn(folder: string): readonly string[] {
  return filesIn(folder).flatMap((name) => {
    const text = gunzipSync(readFileSync(join(folder, name))).toString();
    const lines = text.trimEnd().split('\n');
    return lines.map((line) => `${name.slice(0, name.lastIndexOf('/'))} ${line}`);
  });
}

/** The compressed files, by their paths below the folder. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson.gz'))
    .toSorted();
}

/** The same, without what the log has added: what each says and where. */
export function recordsIn(folder: string): readonly string[] {
  return linesIn(folder).map((line) => {
    const start = line.indexOf(' ');
    const { position, key, value, value_base64 } = JSON.parse(line.slice(start)) as Record<string, unknown>;
    return `${line.slice(0, start)} ${JSON.stringify({ position, key, value, value_base64 })}`;
  });
}
