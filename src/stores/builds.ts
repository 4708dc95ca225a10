import {
  changeDocument,
  changeDocumentFor,
  readDocument,
  replaceDocument,
} from './documents/change-document.ts';
import type { CollectionSpec, Documents } from './documents/port.ts';

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
  /**
   * When, by the store's clock, a comparison with the log last found nothing, and the digest of all documents' registers then, as
   * `verify` says it; absent before it.
   */
  readonly verified?: { readonly at: number; readonly digest: string };
  /** When it has taken over from another build what a log that was cut no longer says; absent where it has not. */
  readonly seeded?: { readonly at: number };
}

/** null where nobody has begun to project it. */
export async function readBuild(documents: Pick<Documents, 'get'>, readModel: string): Promise<Build | null> {
  return (await readDocument<Build>(documents, BUILDS.name, readModel))?.body ?? null;
}

/** Notes where the log ended, unless it is noted already. Returns what stands. Safe from several processes at once. */
export async function beginBuild(
  documents: Documents,
  readModel: string,
  targets: Build['targets'],
): Promise<Build> {
  return await changeDocumentFor<Build, Build>(documents, BUILDS.name, readModel, async (stored) => {
    if (stored) return { body: null, result: stored.body };
    const begun: Build = { targets, began_at: await documents.now(), completed_at: null };
    return { body: begun, result: begun };
  });
}

/** Says that a build that was begun is complete. Idempotent; of several that say it at once, one is enough. */
export async function completeBuild(documents: Documents, readModel: string): Promise<void> {
  const now = await documents.now();
  await changeBuild(documents, readModel, (build) =>
    build.completed_at === null ? { ...build, completed_at: now } : build,
  );
}

/**
 * To be called before a build is compared with the log. What it returns notes that nothing was found. False where that says
 * nothing: somebody has changed documents meanwhile.
 */
export async function beginVerification(
  documents: Pick<Documents, 'get' | 'write' | 'now'>,
  readModel: string,
): Promise<(digest: string) => Promise<boolean>> {
  const stored = await readDocument<Build>(documents, BUILDS.name, readModel);
  return async (digest) => {
    if (!stored) return true;
    const body: Build = { ...stored.body, verified: { at: await documents.now(), digest } };
    const version = await replaceDocument(documents, BUILDS.name, stored, body);
    return version !== null || (await readBuild(documents, readModel))?.verified !== undefined;
  };
}

/** To be called before documents are changed that a lane does not change: what was compared before then says nothing. */
export async function noteAltered(documents: Documents, readModel: string): Promise<void> {
  await changeBuild(documents, readModel, ({ verified: _before, ...build }) => build);
}

/** Notes that a build that was begun has taken over what the log no longer says. */
export async function noteSeeded(documents: Documents, readModel: string): Promise<void> {
  const at = await documents.now();
  await changeBuild(documents, readModel, (build) => ({ ...build, seeded: { at } }));
}

async function changeBuild(documents: Documents, readModel: string, change: (build: Build) => Build) {
  await changeDocument<Build>(documents, BUILDS.name, readModel, (stored) => {
    const next = stored && change(stored.body);
    return next === stored?.body ? null : next;
  });
}
