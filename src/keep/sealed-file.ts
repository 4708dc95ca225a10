import { readFile } from 'node:fs/promises';

import { digestOf } from '../platform/canonical.ts';
import { replaceFile } from '../platform/files/durable-files.ts';
import { codeOf, messageOf, PermanentError } from '../platform/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../platform/json.ts';

/** A JSON file for people and other tools whose last field is a digest of the rest: a changed byte in it is noticed. */

const DIGEST = 'digest';

/** Writes it whole, or leaves the one before. @throws {PermanentError} where it cannot be written. */
export async function writeSealed(path: string, body: JsonObject): Promise<void> {
  await replaceFile(path, `${JSON.stringify({ ...body, [DIGEST]: digestOf(body) }, null, 2)}\n`);
}

/**
 * What was written, without the digest; null where there is no such file.
 * @throws {PermanentError} where it cannot be read, or is not what was written.
 */
export async function readSealed(path: string): Promise<JsonObject | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new PermanentError(`${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
  const found = parse(text);
  if (!isJsonObject(found)) throw new PermanentError(`${path} is damaged: it is no JSON object.`);
  const { [DIGEST]: digest, ...body } = found;
  if (digest === digestOf(body)) return body;
  throw new PermanentError(
    `${path} is damaged or was changed by hand: its digest is not that of its content.`,
  );
}

/** null where it is no JSON. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
