import type { Parts } from '../compose/parts.ts';
import { PermanentError, UsageError } from '../platform/errors.ts';
import { commandLine } from '../platform/text/command-hint.ts';
import { dropBuild } from '../projecting/builds/drop-build.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import { lanesOf } from '../projecting/engine/lane.ts';
import { parseBuildName } from '../stores/build-names.ts';
import { buildsOf, requireAlias } from '../stores/aliases.ts';
import { readRemoved } from './list-builds.ts';
import { readModelOf } from './named-builds.ts';

/**
 * Removes a build that is not live, or is of a read model that this release does not have; one that is under way ends with it.
 * @throws {UsageError} where there is no such build.
 * @throws {PermanentError} where it may not go now, with the reason.
 * @throws {StoppedError} where the signal was aborted.
 */
export async function dropNamedBuild(parts: Parts, signal: AbortSignal, text: string): Promise<void> {
  const { documents, search, clock } = parts;
  const named = parseBuildName(text);
  // Of any other name behind the version it is a shadow.
  if (!named || !/^(?:b\d+)?$/.test(named.build ?? ''))
    throw new UsageError(
      `${text} is no name of a build: "${commandLine('builds list')}" shows them, "${commandLine('shadows list')}" shadows.`,
    );
  const isRemoved = (await readRemoved(parts)).includes(text);
  if (!isRemoved) readModelOf(parts, named.name);
  await requireAny(parts, named.name, text);
  const refusal = await dropBuild({ documents, search, clock, signal, isRemoved }, named.name, text);
  if (refusal === null) return;
  // It was still being waited for.
  if (signal.aborted) throw new StoppedError(refusal);
  throw new PermanentError(`${refusal}.`);
}

/** @throws {UsageError} where nothing of such a build is there, not even what an unfinished removal has left. */
async function requireAny(parts: Parts, name: string, build: string): Promise<void> {
  const alias = await requireAlias(parts.documents, name);
  const known = [...buildsOf(alias), alias.before];
  if (known.includes(build) || (await parts.documents.collections()).includes(build)) return;
  if ((await lanesOf(parts.documents, build)).length > 0) return;
  throw new UsageError(`There is no build ${build}. There are ${buildsOf(alias).join(', ')}.`);
}
