import { foldsOf, seedSourceOf } from '../projecting/builds/standing-builds.ts';
import { foldIdentity } from '../projecting/builds/fold-identity.ts';
import type { Parts } from '../compose/parts.ts';
import { commandLine } from '../platform/text/command-line.ts';
import { PermanentError } from '../platform/errors.ts';
import { beginBuildOf } from '../projecting/builds/begin-build.ts';
import type { Projection } from '../projecting/engine/projection.ts';
import { describeForgotten, forgottenPartitions } from '../projecting/inspect/forgotten-partitions.ts';
import { parseBuildName, readBuild } from '../stores/builds.ts';
import { readAlias } from '../stores/aliases.ts';
import { aliasOf, buildNamed } from './named-builds.ts';

export interface Rebuild {
  readonly build: string;
  /** What somebody who has asked for it should know, one line each. */
  readonly remarks: readonly string[];
}

/**
 * Begins another build of a read model by the fold of this release, unless one is under way. Running projectors make it.
 * @throws {PermanentError} where the read model was never projected, or its documents of this version are another fold's.
 */
export async function beginRebuild(parts: Parts, projection: Projection): Promise<Rebuild> {
  const known = await underWay(parts, projection);
  if (known !== null) return known;
  await aliasOf(parts, projection.name);
  const begun = await beginBuildOf(parts.documents, projection, await foldIdentity(projection, parts));
  if ('refused' in begun) throw new PermanentError(`Nothing was begun: ${begun.refused}.`);
  const { build } = begun;
  const lacking = await whatItLacks(parts, projection, build);
  const end = `${build} is begun. Ctrl-C stops watching, not the build: "${commandLine(`builds drop ${build}`)}" ends it.`;
  return { build, remarks: [end, lacking].filter((line) => line !== null) };
}

/** A build of this release that is not live and was not: one that a start, or this operation, has begun. */
async function underWay({ documents }: Parts, { name, version }: Projection): Promise<Rebuild | null> {
  const alias = await readAlias(documents, name);
  for (const build of alias?.beside ?? []) {
    if (!alias || parseBuildName(build)?.version !== version || build === alias.before) continue;
    const isComplete = (await readBuild(documents, build))?.completed_at;
    if (isComplete && version <= alias.version) continue;
    const where = isComplete ? 'is there already' : 'is under way already';
    return { build, remarks: [`${build} ${where}: no other one is begun.`] };
  }
  return null;
}

/** What a log that was cut means for the build; null where the log is whole. */
async function whatItLacks(parts: Parts, projection: Projection, build: string): Promise<string | null> {
  const cut = describeForgotten(await forgottenPartitions(parts, projection));
  if (cut === null) return null;
  const alias = await aliasOf(parts, projection.name);
  const target = await buildNamed(parts, alias, build);
  return (await seedSourceOf(parts, alias, target, foldsOf(parts)))
    ? `The build begins with what the live build took from what is gone: ${cut}.`
    : `Take care: ${cut}. The live build may know what only those said; this one cannot.`;
}
