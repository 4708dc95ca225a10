import { buildName, buildNumber, parseBuildName } from './build-names.ts';
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

type ClaimOutcome =
  /** It is the live version. */
  | 'live'
  /** Another version is live; a build of this one is kept up to date beside it. */
  | 'beside'
  /** Another version is live, and there is no build of this one. */
  | 'other_version'
  /** This version was started before, with another fold. Raise the version, or bring the old fold back. */
  | 'changed_fold';

/**
 * Says whether a process may project this version of a read model, and makes it live where none is. Any number of processes
 * may claim at once; repeating it is safe.
 */
export async function claimVersion(documents: Documents, claim: Claim): Promise<ClaimOutcome> {
  await documents.declare(ALIASES);
  let outcome: ClaimOutcome = 'live';
  await changeAlias(documents, claim.name, (alias) => {
    const decided = decideClaim(alias, claim);
    outcome = decided.outcome;
    return decided.next ?? null;
  });
  return outcome;
}

/** What is found of a claim, and the alias that it makes; absent where nothing is to be written. */
export function decideClaim(
  alias: LiveAlias | null,
  { name, version, collection, index = null, fold, begin = false }: Claim,
): { readonly outcome: ClaimOutcome; readonly next?: Alias } {
  if (alias === null)
    return {
      outcome: 'live',
      next: { version, collection, index, folds: { [version]: fold }, ...NOTHING_BESIDE },
    };
  const known = alias.folds[version];
  if (known !== undefined && known !== fold) return { outcome: 'changed_fold' };
  const folds = { ...alias.folds, [version]: fold };
  if (alias.version === version)
    return known === undefined ? { outcome: 'live', next: { ...alias, folds } } : { outcome: 'live' };
  if (alias.beside.some((build) => build === collection || build.startsWith(`${collection}-`)))
    return { outcome: 'beside' };
  if (!begin) return { outcome: 'other_version' };
  return { outcome: 'beside', next: { ...withNewBuild(alias, name, version).next, folds } };
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
