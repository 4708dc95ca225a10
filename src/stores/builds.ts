import { changeDocument, changeDocumentFor, readDocument, replaceDocument } from './documents/change.ts';
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
  /** The last comparison with the log that found nothing; absent before it. */
  readonly verified?: VerificationNote;
  /** Where it has taken over from another build what a log that was cut no longer says; absent where it has not. */
  readonly seeded?: SeedNote;
}

export interface SeedNote {
  /** By the store's clock, Unix milliseconds. */
  readonly at: number;
  /** The build whose registers it began with. */
  readonly from: string;
  readonly documents: number;
  /** Documents that this fold cannot show as that build has them: of those it knows what the log still holds. */
  readonly left_out: number;
}

export interface VerificationNote {
  /** By the store's clock, Unix milliseconds. */
  readonly at: number;
  /** Of all documents' registers, as `verify` says it. */
  readonly digest: string;
  readonly documents: number;
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
  const known = await readBuild(documents, readModel);
  if (known) return known;
  const begun: Build = { targets, began_at: await documents.now(), completed_at: null };
  return await changeDocumentFor<Build, Build>(documents, BUILDS.name, readModel, (stored) =>
    stored ? { body: null, result: stored.body } : { body: begun, result: begun },
  );
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
): Promise<(verified: Omit<VerificationNote, 'at'>) => Promise<boolean>> {
  const stored = await readDocument<Build>(documents, BUILDS.name, readModel);
  return async (verified) => {
    if (!stored) return true;
    const body: Build = { ...stored.body, verified: { ...verified, at: await documents.now() } };
    const version = await replaceDocument(documents, BUILDS.name, stored, body);
    return version !== null || (await readBuild(documents, readModel))?.verified !== undefined;
  };
}

/** To be called before documents are changed that a lane does not change: what was compared before then says nothing. */
export async function noteAltered(documents: Documents, readModel: string): Promise<void> {
  await changeBuild(documents, readModel, ({ verified: _before, ...build }) => build);
}

/** Notes that a build that was begun has taken over what the log no longer says. */
export async function noteSeeded(
  documents: Documents,
  readModel: string,
  seeded: Omit<SeedNote, 'at'>,
): Promise<void> {
  const now = await documents.now();
  await changeBuild(documents, readModel, (build) => ({ ...build, seeded: { ...seeded, at: now } }));
}

async function changeBuild(
  documents: Documents,
  readModel: string,
  change: (build: Build) => Build,
): Promise<void> {
  await changeDocument<Build>(documents, BUILDS.name, readModel, (stored) => {
    const next = stored && change(stored.body);
    return next === stored?.body ? null : next;
  });
}

/** A build as it is named: `listings@2`, a second one of the same version `listings@2-b2`. */
export interface BuildName {
  /** Of the read model: `listings`. */
  readonly name: string;
  readonly version: number;
  /** `b2`, and so on; absent for the first build of a version. */
  readonly build?: string;
}

/** The name of its collection, its index, its lanes and its group. */
export function buildName({ name, version, build }: BuildName): string {
  return `${name}@${version}${build === undefined ? '' : `-${build}`}`;
}

/** null where it is no name of a build. */
export function parseBuildName(collection: string): BuildName | null {
  const [, name, version, build] = BUILD_NAME.exec(collection) ?? [];
  if (name === undefined || version === undefined) return null;
  return { name, version: Number(version), ...(build !== undefined && { build }) };
}

/** Of two builds of one read model: by version, and within one by which was begun first. */
export function isOlderBuild(build: string, than: string): boolean {
  return rank(build) < rank(than);
}

function rank(build: string): number {
  const named = parseBuildName(build);
  return named ? named.version * 1_000_000 + buildNumber(named) : 1;
}

/** Which build of its version it is, from 1. */
export function buildNumber({ build = 'b1' }: BuildName): number {
  return Number(build.slice(1));
}

const BUILD_NAME = /^([a-z]+)@([1-9]\d{0,8})(?:-([a-z][a-z0-9-]*))?$/;
