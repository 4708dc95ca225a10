import type { Parts } from '../compose/parts.ts';
import { PermanentError, UsageError } from '../platform/errors.ts';
import { everyBuild, foldOf, foldsOf } from '../projecting/builds/builds-by-fold.ts';
import type { Projection } from '../projecting/engine/projection.ts';
import { buildsOf, type LiveAlias } from '../stores/aliases.ts';
import { parseBuildName } from '../stores/build-names.ts';
import { readBuild } from '../stores/builds.ts';
import { readShadows, SHADOWS } from '../stores/shadows.ts';

/** What commands on builds share: the read model and the build that a person has named. */

/** @throws {UsageError} where it is the name of no read model. */
export function readModelOf({ projections }: Parts, name: string): Projection {
  const found = projections.find((projection) => projection.name === name);
  if (found) return found;
  throw new UsageError(
    `There is no read model ${name}. It is one of ${projections.map((one) => one.name).join(', ')}.`,
  );
}

/**
 * A build of a read model, as the projection that makes it.
 * @throws {UsageError} where there is no such build.
 * @throws {PermanentError} where this release does not have its fold.
 */
export async function buildNamed(parts: Parts, alias: LiveAlias, build: string): Promise<Projection> {
  if (!buildsOf(alias).includes(build))
    throw new UsageError(`There is no build ${build}. There are ${buildsOf(alias).join(', ')}.`);
  const fold = foldOf(build, foldsOf(parts));
  if (fold) return fold;
  throw new PermanentError(
    `This release does not have the fold of ${build}: run the command of the release that made it.`,
  );
}

/** A build or a shadow that is stored, and can be compared. */
export interface StoredBuild {
  readonly readModel: string;
  readonly collection: string;
  readonly state: 'live' | 'build' | 'shadow';
  /** Whether it is all there: a build that has caught up once, a shadow whose replay came to its end. */
  readonly isWhole: boolean;
}

type StoredIn = Pick<Parts, 'documents' | 'projections'>;

/**
 * The builds that two names mean: names of collections, `live` for the live build of the other one's read model, or what a
 * build or shadow is called behind its version, where only one is called so.
 * @throws {UsageError} where a name means none or several, or where the two cannot be compared.
 */
export async function findBuilds(
  parts: StoredIn,
  names: readonly [string, string],
): Promise<readonly [StoredBuild, StoredBuild]> {
  const stored = await readStored(parts);
  const named = names.find((name) => name !== LIVE);
  if (named === undefined)
    throw new UsageError(`${LIVE} is the live build of what the other name means: give one by its name.`);
  const { readModel } = find(stored, named);
  const [before, after] = [find(stored, names[0], readModel), find(stored, names[1], readModel)];
  if (before.readModel !== after.readModel)
    throw new UsageError(
      `${before.collection} and ${after.collection} are of different read models, and cannot be compared.`,
    );
  if (before === after)
    throw new UsageError(`Both names mean ${before.collection}: give two different builds.`);
  return [before, after];
}

const LIVE = 'live';

function find(stored: readonly StoredBuild[], name: string, model?: string): StoredBuild {
  const isMeant = ({ readModel, collection, state }: StoredBuild): boolean =>
    name === LIVE ? readModel === model && state === 'live' : parseBuildName(collection)?.build === name;
  const exact = stored.filter(({ collection }) => collection === name);
  const [one, ...others] = exact.length > 0 ? exact : stored.filter(isMeant);
  if (one && others.length === 0) return one;
  if (one)
    throw new UsageError(`Several are called ${name}: ${namesOf([one, ...others])}. Give the whole name.`);
  const there =
    stored.length > 0
      ? `There are ${namesOf(stored)}.`
      : 'Nothing was projected yet: start a projector first ("npm start").';
  throw new UsageError(`There is no build or shadow ${name}. ${there}`);
}

function namesOf(builds: readonly StoredBuild[]): string {
  return builds.map(({ collection, state }) => `${collection} (${state})`).join(', ');
}

async function readStored({ documents, projections }: StoredIn): Promise<readonly StoredBuild[]> {
  const collections = await documents.collections();
  const found: StoredBuild[] = [];
  for (const { readModel, build, isLive } of await everyBuild({ documents, projections, earlier: [] })) {
    const isWhole = isLive || typeof (await readBuild(documents, build))?.completed_at === 'number';
    found.push({ readModel, collection: build, state: isLive ? 'live' : 'build', isWhole });
  }
  for (const { id, made } of collections.includes(SHADOWS.name) ? await readShadows(documents) : []) {
    const readModel = parseBuildName(id)?.name ?? id;
    found.push({ readModel, collection: id, state: 'shadow', isWhole: made !== null });
  }
  return found.filter(({ collection }) => collections.includes(collection));
}
