import { everyBuild, foreseeClaim } from '../../../compose/builds.ts';
import { foldsToProject } from '../../../compose/folds.ts';
import type { Parts } from '../../../compose/parts.ts';
import { messageOf } from '../../../platform/errors.ts';
import { collectionOf, collectionSpec, type Projection } from '../../../projecting/engine/projection.ts';
import { parseBuildName } from '../../../stores/builds.ts';
import { counted } from '../../../platform/amounts.ts';
import { REACH } from './documents.ts';
import type { Area, Role } from './report.ts';

/** What a start of this release would do with each read model; and whether it could serve what is live. */
export async function checkRelease(parts: Parts, area: Area, role: Role): Promise<void> {
  const folds = await foldsToProject(parts);
  for (const projection of parts.projections) {
    try {
      if (role === 'serve') await checkServing(parts, area, projection);
      else await checkProjecting(parts, area, projection, folds);
    } catch (thrown) {
      area.problem(collectionOf(projection), messageOf(thrown), REACH[parts.config.documentsUrl.scheme]);
    }
  }
}

async function checkProjecting(
  parts: Parts,
  area: Area,
  projection: Projection,
  folds: readonly Projection[],
): Promise<void> {
  const build = collectionOf(projection);
  const foreseen = await foreseeClaim(parts, projection, folds);
  switch (foreseen.outcome) {
    case 'first':
      return area.notChecked(build, 'nobody has projected it yet: the first start makes it.');
    case 'refused':
      return area.problem(build, `a start would be refused: ${foreseen.reason}`, foreseen.hint);
    case 'beside':
      return area.ok(build, `a start goes on with it, beside the live build ${foreseen.live}.`);
    case 'begins':
      return area.ok(
        build,
        `a start begins to build it beside the live build ${foreseen.live}: readers see that until a cut-over.`,
      );
    case 'live': {
      await parts.documents.count(build, { where: {}, by: [] });
      const { indexes } = collectionSpec(projection);
      const declares = `it declares ${counted(indexes.length, 'index', 'indexes')}`;
      return area.ok(build, `the documents are of this release; ${declares}.`);
    }
  }
}

/** An API has answers for the versions whose folds its release has. */
async function checkServing(parts: Parts, area: Area, { name }: Projection): Promise<void> {
  const { projections, earlier } = parts;
  const live = (await everyBuild(parts, [])).find((one) => one.readModel === name && one.isLive);
  const version = parseBuildName(live?.build ?? '')?.version;
  if (!live || version === undefined) return;
  const known = [...projections, ...earlier];
  if (known.some((one) => one.name === name && one.version === version))
    return area.ok(live.build, 'this release can serve the live build.');
  area.problem(
    live.build,
    'it is live, and this release has no answers for that version.',
    `Serve with the release that made it, or go back first: "rollback ${name}".`,
  );
}
