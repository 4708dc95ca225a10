import { QUOTA } from '../../access/quota/counter.ts';
import type { Parts } from '../../compose/parts.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { foreseeClaim } from '../../projecting/builds/claim-build.ts';
import { everyBuild, foldsToProject } from '../../projecting/builds/builds-by-fold.ts';
import { collectionOf, type Projection } from '../../projecting/engine/projection.ts';
import { newVersion } from '../../stores/documents/port.ts';
import { ALIASES } from '../../stores/aliases.ts';
import { parseBuildName } from '../../stores/builds.ts';
import type { Role } from '../role.ts';
import {
  differenceOf,
  judgeClock,
  notChecked,
  ok,
  problem,
  reachCheck,
  type Area,
  type Check,
  type Look,
} from './check.ts';

/** What to do where a store of documents is not reached, by its scheme. */
const REACH = {
  mongodb:
    'Is the store running, and CATALOG_DOCUMENTS_URL right (address, user, password, database)? See docs/guides/deploy.md.',
  sqlite:
    'Is another process keeping the file locked, or is the file damaged? Start the service: it waits for a lock, and names what else is wrong.',
} as const;
const RIGHTS = {
  mongodb: 'Give the user of this process its rights: deploy/mongodb-users.js makes the users.',
  sqlite:
    'Is another process keeping the file locked? Else give this user write access to the file and its folder.',
} as const;

/** Collections from which each may remove documents. */
const WRITTEN: Readonly<Record<Role, readonly string[]>> = {
  project: ['checkpoints', 'parked', 'aliases'],
  serve: ['quota', 'quota-notices', 'renderers'],
  accounts: ['keys', 'key-notices', 'sessions', 'account-audit'],
};

export const documentsArea: Area = {
  name: 'documents',
  store: 'documents',
  roles: ['project', 'serve', 'accounts'],
  checks: ({ documents, clock, config }, role) => {
    const { scheme } = config.documentsUrl;
    const hint = RIGHTS[scheme];
    const mayWrite = (name: string): Check => ({
      name: `may write ${name}`,
      hint,
      look: async () => {
        const there: readonly string[] = await documents.collections().catch(() => []);
        if (!there.includes(name))
          return notChecked('the collection is not there yet: the first start makes it.');
        // Removes a document that does not exist: that asks for the right, and changes nothing.
        await documents.remove(name, [{ id: 'catalog-doctor', read: newVersion() }]);
        return ok('writing is allowed.');
      },
    });
    return [
      reachCheck(scheme, REACH[scheme], () => documents.now()),
      {
        name: 'clock',
        hint,
        look: async () => {
          const before = clock.now();
          const theirs = await documents.now();
          return judgeClock(differenceOf(before, theirs, clock.now()));
        },
      },
      {
        name: 'may read',
        hint,
        look: async () => {
          await documents.get(role === 'accounts' ? QUOTA.name : ALIASES.name, ['listings']);
          return ok('reading is allowed.');
        },
      },
      ...WRITTEN[role].map(mayWrite),
    ];
  },
};

/** What a start of this release would do with each read model; and whether it could serve what is live. */
export const releaseArea: Area = {
  name: 'release',
  roles: ['project', 'serve'],
  needs: ['documents'],
  checks: async (parts, role) => {
    const folds = await foldsToProject(parts);
    return parts.projections.map((projection) => ({
      name: collectionOf(projection),
      hint: REACH[parts.config.documentsUrl.scheme],
      look: () =>
        role === 'serve' ? lookAtServing(parts, projection) : lookAtStart(parts, projection, folds),
    }));
  },
};

async function lookAtStart(
  parts: Parts,
  projection: Projection,
  folds: readonly Projection[],
): Promise<Look> {
  const foreseen = await foreseeClaim(parts, projection, folds);
  switch (foreseen.outcome) {
    case 'first':
      return notChecked('nobody has projected it yet: the first start makes it.');
    case 'refused':
      return problem(`a start would be refused: ${foreseen.reason}`, foreseen.hint);
    case 'beside':
      return ok(`a start goes on with it, beside the live build ${foreseen.live}.`);
    case 'begins':
      return ok(
        `a start begins to build it beside the live build ${foreseen.live}: readers see that until a cut-over.`,
      );
    case 'live':
      return ok('the documents are of this release.');
  }
}

/** An API has answers for the versions whose folds its release has. */
async function lookAtServing(parts: Parts, { name }: Projection): Promise<Look | null> {
  const live = (await everyBuild(parts)).find((one) => one.readModel === name && one.isLive);
  const version = parseBuildName(live?.build ?? '')?.version;
  if (!live || version === undefined) return null;
  if ([...parts.projections, ...parts.earlier].some((one) => one.name === name && one.version === version))
    return ok(`this release can serve the live build ${live.build}.`);
  return problem(
    `${live.build} is live, and this release has no answers for that version.`,
    `Serve with the release that made it, or go back first: "${commandLine(`builds roll-back ${name}`)}".`,
  );
}
