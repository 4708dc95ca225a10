import { buildsToProject } from '../../src/projecting/builds/builds-by-fold.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { parseBuildName } from '../../src/stores/build-names.ts';
import { ALIASES, NOTHING_BESIDE, buildsOf, type Alias } from '../../src/stores/aliases.ts';
import { Kept } from './kept.ts';
import { NOTES_AND_MARKS } from './notes-and-marks.ts';
import { bodyOf, type SharedDocuments } from './simulated-documents.ts';

/** The alias of the one read model, as it stands, and what follows from it. */

/** The one read model. */
export const NAME = NOTES_AND_MARKS.name;
/** What the one fold is told by that there is of it. */
export const FOLD = 'notes and marks';

const FIRST: Alias = {
  ...NOTHING_BESIDE,
  version: 1,
  collection: 'notes@1',
  index: 'notes@1',
  folds: { 1: FOLD },
};

/** As a first start leaves it. */
export function putFirstAlias(documents: SharedDocuments): void {
  const first = new Kept('first', JSON.stringify(FIRST));
  documents.collections.set(ALIASES.name, new Map([[NAME, first]]));
}

export function aliasIn(documents: SharedDocuments): Alias {
  return bodyOf(documents, ALIASES.name, NAME) as Alias;
}

export function liveIn(documents: SharedDocuments): string {
  return aliasIn(documents).collection;
}

/** Every build that is kept up to date, the live one first. */
export function buildsIn(documents: SharedDocuments): readonly string[] {
  return buildsOf(aliasIn(documents));
}

export function isBuild(collection: string): boolean {
  return parseBuildName(collection)?.name === NAME;
}

export function projectionOf(build: string): Projection {
  const [projection] = buildsToProject([{ ...FIRST, collection: build }], [NOTES_AND_MARKS]);
  if (!projection) throw new Error(`${build} is no build of ${NAME}`);
  return projection;
}
