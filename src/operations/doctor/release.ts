import type { Parts } from '../../compose/parts.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { foreseeClaim } from '../../projecting/builds/claim-build.ts';
import { everyBuild, foldsToProject } from '../../projecting/builds/builds-by-fold.ts';
import { collectionOf, type Projection } from '../../projecting/engine/projection.ts';
import { notChecked, ok, problem, type Area, type Look } from './check.ts';
import texts from './texts.json' with { type: 'json' };

/** What a start of this release would do with each read model; and whether it could serve what is live. */
export const releaseArea: Area = {
  name: 'release',
  roles: ['project', 'serve'],
  needs: ['documents'],
  checks: async (parts, role) => {
    const folds = await foldsToProject(parts);
    return parts.projections.map((projection) => ({
      name: collectionOf(projection),
      hint: texts.documents.reach[parts.config.documentsUrl.scheme],
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
  if (!live) return null;
  if (live.projection) return ok(`this release can serve the live build ${live.build}.`);
  return problem(
    `${live.build} is live, and this release has no answers for that version.`,
    `Serve with the release that made it, or go back first: "${commandLine(`builds roll-back ${name}`)}".`,
  );
}
