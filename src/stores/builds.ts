import { newVersion, type CollectionSpec, type Documents } from './documents/port.ts';

/**
 * Which builds of read models have been complete once: one small document for each, by the name of its collection
 * (`listings@1`). Projectors write it, and an API is not ready before. Its states:
 *
 *   absent --the ends of the log are noted--> begun --they are consumed, and the index has been told--> complete, for ever
 *
 * The ends are noted once: a log that never stops growing is caught up with all the same.
 */
export const BUILDS: CollectionSpec = { name: 'builds', indexes: [] };

export interface Build {
  /** The end of the log as it was when the build began, by the name of the lane. */
  readonly targets: Readonly<Record<string, number>>;
  /** By the store's clock, Unix milliseconds. */
  readonly began_at: number;
  /** By the store's clock; null until it has been complete. */
  readonly completed_at: number | null;
}

/** null where nobody has begun to project it. */
export async function readBuild(documents: Pick<Documents, 'get'>, readModel: string): Promise<Build | null> {
  return (await documents.get<Build>(BUILDS.name, [readModel])).get(readModel)?.body ?? null;
}

/** Notes where the log ended, unless it is noted already. Returns what stands. Safe from several processes at once. */
export async function beginBuild(
  documents: Documents,
  readModel: string,
  targets: Build['targets'],
): Promise<Build> {
  const known = await readBuild(documents, readModel);
  if (known) return known;
  const body: Build = { targets, began_at: await documents.now(), completed_at: null };
  const [outcome] = await documents.write(BUILDS.name, [
    { id: readModel, read: null, version: newVersion(), body },
  ]);
  return outcome === 'done' ? body : beginBuild(documents, readModel, targets);
}

/** Says that a build that was begun is complete. Idempotent; of several that say it at once, one is enough. */
export async function completeBuild(documents: Documents, readModel: string): Promise<void> {
  const stored = (await documents.get<Build>(BUILDS.name, [readModel])).get(readModel);
  if (!stored || stored.body.completed_at !== null) return;
  const body: Build = { ...stored.body, completed_at: await documents.now() };
  await documents.write(BUILDS.name, [{ id: readModel, read: stored.version, version: newVersion(), body }]);
}
