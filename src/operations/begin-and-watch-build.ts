import type { Parts } from '../compose/parts.ts';
import { PermanentError } from '../platform/errors.ts';
import { commandLine } from '../platform/text/command-hint.ts';
import { beginBuildOf } from '../projecting/builds/claim-build.ts';
import { foldIdentity } from '../projecting/builds/fold-identity.ts';
import { foldsOf, seedSourceOf } from '../projecting/builds/builds-by-fold.ts';
import { explainHalt, lanesOf } from '../projecting/engine/lane.ts';
import { collectionOf, type Projection } from '../projecting/engine/projection.ts';
import { createRetry, StoppedError } from '../projecting/engine/retry.ts';
import { describeForgotten, forgottenPartitions } from '../projecting/replay/history.ts';
import { readProgress } from '../projecting/inspect/lane-progress.ts';
import { readSearchProgress } from '../projecting/inspect/search-progress.ts';
import { buildsOf, readAlias, requireAlias } from '../stores/aliases.ts';
import { parseBuildName } from '../stores/build-names.ts';
import { readBuild } from '../stores/builds.ts';
import { buildNamed } from './named-builds.ts';

/**
 * Begins another build of a read model by the fold of this release, unless one is under way. Running projectors make it.
 * `remarks`: what somebody who has asked for it should know, one line each.
 * @throws {PermanentError} where the read model was never projected, or its documents of this version are another fold's.
 */
export async function beginRebuild(parts: Parts, projection: Projection) {
  const { beside } = await requireAlias(parts.documents, projection.name);
  const known = await underWay(parts, projection);
  if (known !== null) return known;
  const fold = await foldIdentity(projection, parts);
  const begun = await beginBuildOf(parts.documents, projection, fold, beside);
  if ('refused' in begun) {
    // Somebody else may have begun one at the same moment.
    const other = await underWay(parts, projection);
    if (other !== null) return other;
    throw new PermanentError(`Nothing was begun: ${begun.refused}.`);
  }
  const { build } = begun;
  const lacking = await whatItLacks(parts, projection, build);
  const end = `${build} is begun. Ctrl-C stops watching, not the build: "${commandLine(`builds drop ${build}`)}" ends it.`;
  return { build, remarks: [end, lacking].filter((line) => line !== null) };
}

/** A build of this release that is not live and was not: one that a start, or this operation, has begun. */
async function underWay(parts: Parts, { name, version }: Projection) {
  const alias = await requireAlias(parts.documents, name);
  for (const build of alias.beside) {
    if (parseBuildName(build)?.version !== version || build === alias.before) continue;
    const isComplete = (await readBuild(parts.documents, build))?.completed_at;
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
  const alias = await requireAlias(parts.documents, projection.name);
  const target = await buildNamed(parts, alias, build);
  return (await seedSourceOf(parts, alias, target, foldsOf(parts)))
    ? `The build begins with what the live build took from what is gone: ${cut}.`
    : `Take care: ${cut}. The live build may know what only those said; this one cannot.`;
}

const LOOK_MS = 250;

/**
 * Waits until a build has caught up with the log and its index is filled. A store that fails meanwhile is asked again.
 * @throws {PermanentError} where it was dropped, or a lane of it has halted.
 * @throws {StoppedError} where the signal was aborted: the build goes on.
 */
export async function untilComplete(
  parts: Parts,
  target: Projection,
  signal: AbortSignal,
  onProgress: (what: string, done: number, total: number) => void,
): Promise<void> {
  const { documents, clock, logger } = parts;
  const build = collectionOf(target);
  const retry = createRetry({ clock, logger, signal });
  let toIndex = 0;
  while (!(await retry(`watching ${build}`, isComplete))) {
    await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) throw new StoppedError('stopped watching');
  }

  async function isComplete(): Promise<boolean> {
    const alias = await readAlias(documents, target.name);
    if (!alias || !buildsOf(alias).includes(build))
      throw new PermanentError(`${build} was dropped meanwhile: nothing is left of it.`);
    if ((await readBuild(documents, build))?.completed_at) return true;
    for (const lane of await lanesOf(documents, build))
      if (lane.halted) throw new PermanentError(`${build} cannot go on: ${explainHalt(lane, lane.halted)}`);
    const { total, left, waiting } = await readAmounts(parts, target);
    toIndex = Math.max(toIndex, waiting);
    if (left > 0 || !target.searchEntry) onProgress('records folded', total - left, total);
    else onProgress('entries indexed', toIndex - waiting, toIndex);
    return false;
  }
}

/** Records of the log, those that are left of them, and documents that its index waits for once none is. */
async function readAmounts({ log, documents, topicName }: Parts, target: Projection) {
  const lanes = await readProgress({ log, documents, topicName, projections: [target] });
  const total = lanes.reduce((sum, { latest, earliest }) => sum + latest - earliest, 0);
  const left = lanes.reduce((sum, { lag }) => sum + lag, 0);
  const isSearched = left === 0 && target.searchEntry !== undefined;
  const search = isSearched ? await readSearchProgress(target, documents, await documents.now()) : null;
  return { total, left, waiting: search?.waiting ?? 0 };
}
