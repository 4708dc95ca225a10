import type { Parts } from '../compose/parts.ts';
import { PermanentError, UsageError } from '../platform/errors.ts';
import { dropBuild } from '../projecting/builds/dropping.ts';
import { lanesOf } from '../projecting/builds/lanes.ts';
import { parseBuildName } from '../stores/builds.ts';
import { buildsOf } from '../stores/live.ts';
import { readShadows, removeShadow, SHADOWS } from '../stores/shadows.ts';
import { aliasOf, readModelOf } from './named-builds.ts';
import { shadowNamed } from './replay/shadow-names.ts';

/**
 * Removes a shadow, or a build that is not live; one that is under way ends with it. Returns the name of what is gone.
 * @throws {UsageError} where there is no such build or shadow.
 * @throws {PermanentError} where it may not go now, with the reason.
 */
export async function dropNamed(parts: Parts, signal: AbortSignal, text: string): Promise<string> {
  const { documents, search, clock } = parts;
  await documents.declare(SHADOWS);
  const shadow = shadowNamed(await readShadows(documents), text);
  if (shadow) {
    await removeShadow(documents, shadow);
    return shadow.id;
  }
  const named = parseBuildName(text);
  if (!named)
    throw new UsageError(
      `${text} is no name of a build, and there is no such shadow: "versions" and "shadows" list them.`,
    );
  readModelOf(parts, named.name);
  await requireAny(parts, named.name, text);
  const refusal = await dropBuild({ documents, search, clock, signal }, named.name, text);
  if (refusal !== null) throw new PermanentError(`${refusal}.`);
  return text;
}

/** @throws {UsageError} where nothing of such a build is there, not even what an unfinished removal has left. */
async function requireAny(parts: Parts, name: string, build: string): Promise<void> {
  const alias = await aliasOf(parts, name);
  const known = [...buildsOf(alias), alias.before];
  if (known.includes(build) || (await parts.documents.collections()).includes(build)) return;
  if ((await lanesOf(parts.documents, build)).length > 0) return;
  throw new UsageError(`There is no build ${build}. There are ${buildsOf(alias).join(', ')}.`);
}
