import { foldOf, foldsOf } from '../projecting/builds/standing-builds.ts';
import type { Parts } from '../compose/parts.ts';
import { PermanentError, UsageError } from '../platform/errors.ts';
import type { Projection } from '../projecting/engine/projection.ts';
import { buildsOf, readAlias, type LiveAlias } from '../stores/aliases.ts';

/** What commands on builds share: the read model and the build that a person has named. */

/** @throws {UsageError} where it is the name of no read model. */
export function readModelOf({ projections }: Parts, name: string): Projection {
  const found = projections.find((projection) => projection.name === name);
  if (found) return found;
  throw new UsageError(
    `There is no read model ${name}. It is one of ${projections.map((one) => one.name).join(', ')}.`,
  );
}

/** @throws {PermanentError} before its first start. */
export async function aliasOf({ documents }: Parts, name: string): Promise<LiveAlias> {
  const alias = await readAlias(documents, name);
  if (alias) return alias;
  throw new PermanentError(`${name} was never projected: start a projector first ("npm start").`);
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
