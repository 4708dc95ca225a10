import type { Decode } from '../../events/decode.ts';
import { parseBuildName } from '../../stores/build-names.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { buildsOf, readAlias, type Alias } from '../../stores/aliases.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import type { Lanes } from '../inspect/lane-progress.ts';
import { foldIdentity, makeEqualRegisters } from './fold-identity.ts';
import { lanesOf } from '../engine/lane.ts';

/** What a release makes builds with. */
export interface Release {
  readonly documents: Documents;
  /** The read models, in the versions that it makes. */
  readonly projections: readonly Projection[];
  /** Folds of earlier releases that it keeps. */
  readonly earlier: readonly Projection[];
  readonly decode: Decode;
  readonly topicName: (topic: string) => string;
}

/** The folds that this release can run: its own, and those of earlier releases that it keeps. */
export function foldsOf(parts: Pick<Release, 'projections' | 'earlier'>): readonly Projection[] {
  return [...parts.projections, ...parts.earlier];
}

/** The same without a kept fold that is not the one that made the documents of its version. */
export async function foldsToProject(parts: Release): Promise<readonly Projection[]> {
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
  if (!fold || named.build === undefined) return fold ?? null;
  return { ...fold, build: named.build };
}

/** The live build of a read model, where its registers are made as those of another build are; null where not. */
export async function seedSourceOf(
  parts: Pick<Release, 'decode' | 'topicName'>,
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
  parts: Pick<Release, 'documents' | 'projections' | 'earlier'>,
): Promise<readonly StandingBuild[]> {
  const { documents, projections } = parts;
  const folds = foldsOf(parts);
  const found: StandingBuild[] = [];
  for (const projection of projections) {
    const readModel = projection.name;
    const alias = await readAlias(documents, readModel);
    const live = alias?.collection ?? collectionOf(projection);
    for (const build of alias ? buildsOf(alias) : [live])
      found.push({ readModel, build, isLive: build === live, projection: foldOf(build, folds) });
  }
  return found;
}

/** A build as those see it who only look how far its lanes are: also where this release lacks its fold. */
export async function asLanes(
  { documents, topicName }: Pick<Release, 'documents' | 'topicName'>,
  { build, projection }: StandingBuild,
): Promise<Lanes> {
  if (projection) return projection;
  const named = parseBuildName(build);
  if (!named) throw new Error(`${build} is no name of a build`);
  const lanes = await lanesOf(documents, build);
  const topics = new Set(lanes.map(({ topic }) => topic.slice(topicName('').length)));
  return { ...named, topics: [...topics].sort() };
}
