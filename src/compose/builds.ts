import { commandLine } from '../platform/command-line.ts';
import { PermanentError } from '../platform/errors.ts';
import { collectionOf, indexOf, type Projection } from '../projecting/engine/projection.ts';
import { readOwners } from '../projecting/inspect/heartbeat.ts';
import { parseBuildName } from '../stores/builds.ts';
import type { Documents } from '../stores/documents/port.ts';
import { claimVersion, isSameFold } from '../stores/folds.ts';
import { buildsOf, readAlias, type Alias, type LiveAlias } from '../stores/live.ts';
import { WORKERS } from '../stores/workers.ts';
import type { Fold } from './fold-sources.ts';
import type { Parts } from './parts.ts';

/** The builds that these folds keep up to date, the live one of each read model first. */
export function buildsToProject(aliases: readonly Alias[], folds: readonly Fold[]): readonly Projection[] {
  return aliases.flatMap((alias) =>
    buildsOf(alias).flatMap((build) => foldOf(alias, build, folds)?.projection ?? []),
  );
}

/** The fold that made a build, as a projection into that build. */
function foldOf(alias: Alias, build: string, folds: readonly Fold[]): Fold | null {
  const named = parseBuildName(build);
  const known = named && alias.sources[named.version];
  if (!named || known === undefined || known === null) return null;
  const fold = folds.find(
    ({ projection, identity }) =>
      projection.name === named.name && projection.version === named.version && isSameFold(identity, known),
  );
  return fold ? { ...fold, projection: asBuild(fold.projection, named.build) } : null;
}

/** The same fold into another build of its version. */
export function asBuild(projection: Projection, build: string | undefined): Projection {
  return build === undefined ? projection : { ...projection, build };
}

/**
 * Claims the version of a read model that this release makes: as the live one where none is, else as a build beside that.
 * @throws {PermanentError} where its fold has changed and its version has not, or nobody would project what is live.
 */
export async function claimBuild(
  parts: Parts,
  projection: Projection,
  folds: readonly Fold[],
): Promise<void> {
  const { documents } = parts;
  const { name, version } = projection;
  const own = folds.find((fold) => fold.projection === projection);
  if (!own) throw new Error(`${name} is no fold of this release`);
  const claim = {
    name,
    version,
    index: indexOf(projection),
    collection: collectionOf(projection),
    ...own.identity,
  };
  const claimed = await claimVersion(documents, claim);
  if (claimed.outcome === 'live') return;
  if (claimed.outcome === 'changed_fold') {
    throw new PermanentError(
      `The fold of ${claim.collection} has changed, its version has not. Raise the version in projections/${name}/index.ts, or run the release that made the documents.`,
    );
  }
  const { collection: live } = claimed.alias;
  if (!foldOf(claimed.alias, live, folds) && !(await isProjected(documents, live))) {
    const advice =
      claimed.alias.version > version
        ? `Start the release that made ${live}, and go back with it ("${commandLine(`rollback ${name}`)}") before this one is started`
        : `Start the release that made ${live} beside this one, or keep its fold here with "npm run freeze"`;
    throw new PermanentError(
      `The live build of ${name} is ${live}: this release makes version ${version}, has no fold of ${live}, and no projector that has one is running, so readers would see no more changes. ${advice} (docs/guides/upgrade.md).`,
    );
  }
  if (claimed.outcome === 'other_version') await claimVersion(documents, { ...claim, begin: true });
}

/** Whether a worker that was heard of lately has lanes of the build. */
async function isProjected(documents: Documents, build: string): Promise<boolean> {
  await documents.declare(WORKERS);
  const { alive } = await readOwners(documents, await documents.now());
  return [...alive.values()].some(({ lanes }) =>
    Object.keys(lanes).some((lane) => lane.startsWith(`${build}/`)),
  );
}

/**
 * The builds that there are, as projections, for commands that look at them: the live one of each read model first. A
 * read model that was never started is the one that this release would make.
 */
export async function standingBuilds(parts: Parts, folds: readonly Fold[]): Promise<readonly Projection[]> {
  const found: Projection[] = [];
  for (const projection of parts.projections) {
    const alias = await readAlias(parts.documents, projection.name);
    if (alias) found.push(...buildsToProject([alias], folds));
    else found.push(projection);
  }
  return found;
}

/** Of each read model the build that readers see, where this release has its fold. */
export function liveBuilds(aliases: readonly LiveAlias[], folds: readonly Fold[]): readonly Projection[] {
  return aliases.flatMap((alias) => foldOf(alias, alias.collection, folds)?.projection ?? []);
}
