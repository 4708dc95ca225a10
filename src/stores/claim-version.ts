import { buildName, buildNumber, parseBuildName } from './builds.ts';
import { ALIASES, NOTHING_BESIDE, buildsOf, changeAlias, type Alias, type LiveAlias } from './aliases.ts';
import type { Documents } from './documents/port.ts';

export interface Claim {
  readonly name: string;
  readonly version: number;
  readonly collection: string;
  /** The digest of what its fold makes of recorded events. */
  readonly fold: string;
  /** Default null. */
  readonly index?: string | null;
  /** Whether a build of this version is to be begun beside a live one of another version. Default: no. */
  readonly begin?: boolean;
}

type ClaimResult =
  /** It is the live version. */
  | { readonly outcome: 'live' }
  /** Another version is live; a build of this one is kept up to date beside it. */
  | { readonly outcome: 'beside'; readonly alias: Alias }
  /** Another version is live, and there is no build of this one. */
  | { readonly outcome: 'other_version'; readonly alias: Alias }
  /** This version was started before, with another fold. Raise the version, or bring the old fold back. */
  | { readonly outcome: 'changed_fold' };

/**
 * Says whether a process may project this version of a read model, and makes it live where none is. Any number of processes
 * may claim at once; repeating it is safe.
 */
export async function claimVersion(documents: Documents, claim: Claim): Promise<ClaimResult> {
  await documents.declare(ALIASES);
  let claimed: ClaimResult = { outcome: 'live' };
  await changeAlias(documents, claim.name, (alias) => {
    const decided = decideClaim(alias, claim);
    claimed = decided.claimed;
    return decided.next;
  });
  return claimed;
}

/** What is found of a claim, and the alias that it makes; null where nothing is to be written. */
export function decideClaim(
  alias: LiveAlias | null,
  claim: Claim,
): { readonly claimed: ClaimResult; readonly next: Alias | null } {
  const { version, collection, index = null, fold, begin = false } = claim;
  if (alias === null) {
    const first: Alias = { version, collection, index, folds: { [version]: fold }, ...NOTHING_BESIDE };
    return { claimed: { outcome: 'live' }, next: first };
  }
  const known = alias.folds[version] ?? null;
  if (known !== null && known !== fold) return { claimed: { outcome: 'changed_fold' }, next: null };
  const folds = { ...alias.folds, [version]: fold };
  if (alias.version === version) {
    return { claimed: { outcome: 'live' }, next: known === null ? { ...alias, folds } : null };
  }
  if (alias.beside.some((build) => build === collection || build.startsWith(`${collection}-`)))
    return { claimed: { outcome: 'beside', alias }, next: null };
  if (!begin) return { claimed: { outcome: 'other_version', alias }, next: null };
  const next = { ...withNewBuild(alias, claim.name, version).next, folds };
  return { claimed: { outcome: 'beside', alias: next }, next };
}

/**
 * Another build of a version: its name, and the alias with it beside the others. `listings@2`, or `listings@2-b3` where
 * there have been two. A name is never used again: what is left of a build that was dropped, or a worker that has not
 * heard of it, would be taken for the new one's.
 */
export function withNewBuild(
  alias: Alias,
  name: string,
  version: number,
): { readonly build: string; readonly next: Alias } {
  const standing = [...buildsOf(alias), alias.before ?? ''].flatMap((build) => {
    const named = parseBuildName(build);
    return named?.version === version ? buildNumber(named) : [];
  });
  const number = Math.max(alias.begun[version] ?? 0, ...standing) + 1;
  const build = buildName({ name, version, ...(number > 1 && { build: `b${number}` }) });
  const begun = { ...alias.begun, [version]: number };
  return { build, next: { ...alias, beside: [...alias.beside, build], begun } };
}
