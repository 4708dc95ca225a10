import { isDeepStrictEqual } from 'node:util';

import { PermanentError } from '../../platform/errors.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { claimVersion, decideClaim, type Claim, withNewBuild } from '../../stores/claim-version.ts';
import { ALIASES, readAlias, changeAlias } from '../../stores/aliases.ts';
import { WORKERS } from '../../stores/workers.ts';
import { collectionOf, indexOf, type Projection } from '../engine/projection.ts';
import { hasLanesOf, readOwners } from '../health/lane-owners.ts';
import { foldIdentity } from './fold-identity.ts';
import { foldOf, type Release } from './builds-by-fold.ts';

type ClaimForecast =
  /** `first`: the first start makes it live. `live`: it is. `beside`: a build of it stands beside the live one. */
  | { readonly outcome: 'first' | 'live' }
  /** `begins`: no build of this version is there, and a start begins one. */
  | { readonly outcome: 'beside' | 'begins'; readonly live: string }
  | { readonly outcome: 'refused'; readonly reason: string; readonly hint: string };

/** What a projector of this release would do with a read model when it starts. Changes nothing. */
export async function foreseeClaim(
  parts: Pick<Release, 'documents' | 'decode' | 'topicName'>,
  projection: Projection,
  folds: readonly Projection[],
): Promise<ClaimForecast> {
  const { documents } = parts;
  const { name, version } = projection;
  const alias = await readAlias(documents, name);
  if (alias === null) return { outcome: 'first' };
  const { outcome } = decideClaim(alias, await claimOf(projection, parts));
  if (outcome === 'live') return { outcome };
  if (outcome === 'changed_fold') {
    return {
      outcome: 'refused',
      reason: `The fold of ${collectionOf(projection)} has changed, its version has not.`,
      hint: `Raise the version in projections/${name}/index.ts, or run the release that made the documents.`,
    };
  }
  const { collection: live } = alias;
  if (!foldOf(live, folds) && !(await isProjected(documents, live))) {
    const advice =
      alias.version > version
        ? `Start the release that made ${live}, and go back with it ("${commandLine(`builds roll-back ${name}`)}") before this one is started`
        : `Start the release that made ${live} beside this one, or keep its fold here with "npm run freeze"`;
    return {
      outcome: 'refused',
      reason: `The live build of ${name} is ${live}: this release makes version ${version}, has no fold of ${live}, and no projector that has one is running, so readers would see no more changes.`,
      hint: `${advice} (docs/guides/upgrade.md).`,
    };
  }
  return { outcome: outcome === 'beside' ? 'beside' : 'begins', live };
}

async function claimOf(projection: Projection, parts: Pick<Release, 'decode' | 'topicName'>): Promise<Claim> {
  const { name, version } = projection;
  const fold = await foldIdentity(projection, parts);
  return { name, version, index: indexOf(projection), collection: collectionOf(projection), fold };
}

/**
 * Claims the version of a read model that this release makes: as the live one where none is, else as a build beside that.
 * @throws {PermanentError} where its fold has changed and its version has not, or nobody would project what is live.
 */
export async function claimBuild(
  parts: Release,
  projection: Projection,
  folds: readonly Projection[],
): Promise<void> {
  const { documents } = parts;
  await documents.declare(ALIASES);
  const claim = await claimOf(projection, parts);
  for (;;) {
    const foreseen = await foreseeClaim(parts, projection, folds);
    if (foreseen.outcome === 'refused') throw new PermanentError(`${foreseen.reason} ${foreseen.hint}`);
    const outcome = await claimVersion(documents, { ...claim, begin: foreseen.outcome === 'begins' });
    // Anything else is not what was foreseen: somebody was faster, and it is looked at again.
    if (outcome === 'live' || outcome === 'beside') return;
  }
}

/** Whether a worker that was heard of lately has lanes of the build. */
async function isProjected(documents: Documents, build: string): Promise<boolean> {
  await documents.declare(WORKERS);
  const { alive } = await readOwners(documents, await documents.now());
  return [...alive.values()].some((worker) => hasLanesOf(build, worker));
}

type BegunBuild = { readonly build: string } | { readonly refused: string };

/**
 * Begins another build of a read model by this fold, beside what there is. Returns its name, or why not. `seen`: what stood beside
 * the live build when it was decided that there is to be another one.
 */
export async function beginBuildOf(
  documents: Documents,
  { name, version }: Pick<Projection, 'name' | 'version'>,
  fold: string,
  seen?: readonly string[],
): Promise<BegunBuild> {
  let begun: BegunBuild = { refused: `${name} was never projected` };
  await changeAlias(documents, name, (alias) => {
    if (alias === null) return null;
    const known = alias.folds[version];
    if (known !== undefined && known !== fold) {
      begun = { refused: `the documents of ${name}@${version} are those of another fold` };
      return null;
    }
    if (seen && !isDeepStrictEqual(seen, alias.beside)) {
      begun = { refused: `the builds of ${name} have just changed: repeat the command` };
      return null;
    }
    const { build, next } = withNewBuild(alias, name, version);
    begun = { build };
    return { ...next, folds: { ...alias.folds, [version]: fold } };
  });
  return begun;
}
