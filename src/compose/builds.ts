import { commandLine } from '../platform/text/command-line.ts';
import { PermanentError } from '../platform/errors.ts';
import { collectionOf, indexOf, type Projection } from '../projecting/engine/projection.ts';
import { lanesOf } from '../projecting/builds/lanes.ts';
import { projectorOf, readOwners } from '../projecting/health/owners.ts';
import type { Lanes } from '../projecting/inspect/progress.ts';
import { parseBuildName } from '../stores/builds.ts';
import type { Documents } from '../stores/documents/port.ts';
import { claimVersion, decideClaim, type Claim } from '../stores/folds.ts';
import { ALIASES, buildsOf, readAlias, type Alias } from '../stores/live.ts';
import { WORKERS } from '../stores/workers.ts';
import { foldIdentity, makeEqualRegisters } from './fold-identity.ts';
import type { Parts } from './parts.ts';

/** The folds that this release can run: its own, and those of earlier releases that it keeps. */
export function foldsOf({
  projections,
  earlier,
}: Pick<Parts, 'projections' | 'earlier'>): readonly Projection[] {
  return [...projections, ...earlier];
}

/** The same without a kept fold that is not the one that made the documents of its version. */
export async function foldsToProject(parts: Parts): Promise<readonly Projection[]> {
  const kept: Projection[] = [];
  for (const projection of parts.earlier) {
    const known = (await readAlias(parts.documents, projection.name))?.folds[projection.version];
    if (known === undefined || known === (await foldIdentity(projection, parts))) kept.push(projection);
  }
  return [...parts.projections, ...kept];
}

/** The builds that these folds keep up to date, the live one of each read model first. */
export function buildsToProject(
  aliases: readonly Alias[],
  folds: readonly Projection[],
): readonly Projection[] {
  return aliases.flatMap((alias) => buildsOf(alias).flatMap((build) => foldOf(build, folds) ?? []));
}

/** The fold that made a build, as a projection into that build. */
export function foldOf(build: string, folds: readonly Projection[]): Projection | null {
  const named = parseBuildName(build);
  if (!named) return null;
  const fold = folds.find(({ name, version }) => name === named.name && version === named.version);
  return fold ? asBuild(fold, named.build) : null;
}

/** The live build of a read model, where its registers are made as those of another build are; null where not. */
export async function seedSourceOf(
  parts: Pick<Parts, 'decode' | 'topicName'>,
  alias: Alias,
  target: Projection,
  folds: readonly Projection[],
): Promise<Projection | null> {
  const live = foldOf(alias.collection, folds);
  const own = foldOf(collectionOf(target), folds);
  if (!live || !own) return null;
  if (live.version === own.version) return live;
  const topics = (fold: Projection): string => [...fold.topics].sort().join(' ');
  return topics(live) === topics(own) && (await makeEqualRegisters(live, own, parts)) ? live : null;
}

/** The same fold into another build of its version. */
export function asBuild(projection: Projection, build: string | undefined): Projection {
  return build === undefined ? projection : { ...projection, build };
}

type Foreseen =
  /** `first`: the first start makes it live. `live`: it is. `beside`: a build of it stands beside the live one. */
  | { readonly outcome: 'first' | 'live' }
  /** `begins`: no build of this version is there, and a start begins one. */
  | { readonly outcome: 'beside' | 'begins'; readonly live: string }
  | { readonly outcome: 'refused'; readonly reason: string; readonly hint: string };

/** What a projector of this release would do with a read model when it starts. Changes nothing. */
export async function foreseeClaim(
  parts: Pick<Parts, 'documents' | 'decode' | 'topicName'>,
  projection: Projection,
  folds: readonly Projection[],
): Promise<Foreseen> {
  const { documents } = parts;
  const { name, version } = projection;
  const alias = await readAlias(documents, name);
  if (alias === null) return { outcome: 'first' };
  const claimed = decideClaim(alias, await claimOf(projection, parts)).claimed;
  if (claimed.outcome === 'live') return { outcome: 'live' };
  if (claimed.outcome === 'changed_fold') {
    return {
      outcome: 'refused',
      reason: `The fold of ${collectionOf(projection)} has changed, its version has not.`,
      hint: `Raise the version in projections/${name}/index.ts, or run the release that made the documents.`,
    };
  }
  const { collection: live } = claimed.alias;
  if (!foldOf(live, folds) && !(await isProjected(documents, live))) {
    const advice =
      claimed.alias.version > version
        ? `Start the release that made ${live}, and go back with it ("${commandLine(`builds roll-back ${name}`)}") before this one is started`
        : `Start the release that made ${live} beside this one, or keep its fold here with "npm run freeze"`;
    return {
      outcome: 'refused',
      reason: `The live build of ${name} is ${live}: this release makes version ${version}, has no fold of ${live}, and no projector that has one is running, so readers would see no more changes.`,
      hint: `${advice} (docs/guides/upgrade.md).`,
    };
  }
  return { outcome: claimed.outcome === 'beside' ? 'beside' : 'begins', live };
}

async function claimOf(projection: Projection, parts: Pick<Parts, 'decode' | 'topicName'>): Promise<Claim> {
  const { name, version } = projection;
  const fold = await foldIdentity(projection, parts);
  return { name, version, index: indexOf(projection), collection: collectionOf(projection), fold };
}

/**
 * Claims the version of a read model that this release makes: as the live one where none is, else as a build beside that.
 * @throws {PermanentError} where its fold has changed and its version has not, or nobody would project what is live.
 */
export async function claimBuild(
  parts: Parts,
  projection: Projection,
  folds: readonly Projection[],
): Promise<void> {
  const { documents } = parts;
  await documents.declare(ALIASES);
  const claim = await claimOf(projection, parts);
  for (;;) {
    const foreseen = await foreseeClaim(parts, projection, folds);
    if (foreseen.outcome === 'refused') throw new PermanentError(`${foreseen.reason} ${foreseen.hint}`);
    const { outcome } = await claimVersion(documents, { ...claim, begin: foreseen.outcome === 'begins' });
    // Anything else is not what was foreseen: somebody was faster, and it is looked at again.
    if (outcome === 'live' || outcome === 'beside') return;
  }
}

/** Whether a worker that was heard of lately has lanes of the build. */
async function isProjected(documents: Documents, build: string): Promise<boolean> {
  await documents.declare(WORKERS);
  return projectorOf(await readOwners(documents, await documents.now()), build) !== null;
}

/** A build that there is, or that a first start would make. */
export interface StandingBuild {
  /** `listings` */
  readonly readModel: string;
  /** `listings@2-b2` */
  readonly build: string;
  readonly isLive: boolean;
  /** The fold that makes it; null where this release does not have that. */
  readonly projection: Projection | null;
}

/**
 * The builds that there are, the live one of each read model first. A read model that was never started is the one that
 * this release would make.
 */
export async function everyBuild(
  parts: Pick<Parts, 'documents' | 'projections' | 'earlier'>,
): Promise<readonly StandingBuild[]> {
  const { documents, projections } = parts;
  const folds = foldsOf(parts);
  const found: StandingBuild[] = [];
  for (const projection of projections) {
    const readModel = projection.name;
    const alias = await readAlias(documents, readModel);
    if (!alias) found.push({ readModel, build: collectionOf(projection), isLive: true, projection });
    else
      for (const build of buildsOf(alias)) {
        const isLive = build === alias.collection;
        found.push({ readModel, build, isLive, projection: foldOf(build, folds) });
      }
  }
  return found;
}

/** Those of them that this release has the folds of, for commands that look at documents with them. */
export async function standingBuilds(parts: Parts): Promise<readonly Projection[]> {
  return (await everyBuild(parts)).flatMap(({ projection }) => projection ?? []);
}

/** A build as those see it who only look how far its lanes are: also where this release lacks its fold. */
export async function asLanes(
  { documents, config }: Pick<Parts, 'documents' | 'config'>,
  { build, projection }: StandingBuild,
): Promise<Lanes> {
  if (projection) return projection;
  const named = parseBuildName(build);
  if (!named) throw new Error(`${build} is no name of a build`);
  const lanes = await lanesOf(documents, build);
  const topics = new Set(lanes.map(({ topic }) => topic.slice(config.topicPrefix.length)));
  return { ...named, topics: [...topics].sort() };
}
