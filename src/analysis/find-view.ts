import { UsageError } from '../platform/errors.ts';
import { parseBuildName } from '../stores/build-names.ts';
import { requireAlias } from '../stores/aliases.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { SqlView } from './sql-view.ts';
import { categories, listings, metrics, probes, targets } from './views/documents.ts';
import { events } from './views/events.ts';
import { incidents } from './views/incidents.ts';

/**
 * Every view, by what a person calls it: `listings` shows the live build of its read model, `listings@2-b2` and
 * `metrics@2-b2` another build of it, or a shadow.
 */
export const VIEWS: readonly SqlView[] = [listings, metrics, categories, targets, probes, incidents, events];

/** A view of one build. */
export interface BuildView {
  /** As it was asked for: `metrics@2-b2`. */
  readonly name: string;
  readonly view: SqlView;
  /** The collection; empty for the log. */
  readonly collection: string;
}

type BuildDocuments = Pick<Documents, 'get' | 'collections'>;

/**
 * The view of this name; null where the name is not of their form, in whatever case it is written.
 * @throws {UsageError} where there is no such build.
 * @throws {PermanentError} where its read model was never projected.
 */
export async function findView(documents: BuildDocuments, name: string): Promise<BuildView | null> {
  const [, base, build] = /^([a-z]+)(?:@(.*))?$/s.exec(name.toLowerCase()) ?? [];
  const view = VIEWS.find((one) => one.name === base);
  if (!view) return null;
  if (view.readModel === null) return build === undefined ? { name: view.name, view, collection: '' } : null;
  if (build === undefined)
    return { name: view.name, view, collection: (await requireAlias(documents, view.readModel)).collection };
  const collection = `${view.readModel}@${build}`;
  const stored = await documents.collections();
  if (parseBuildName(collection) && stored.includes(collection))
    return { name: `${view.name}@${build}`, view, collection };
  throw new UsageError(`There is no ${name}. ${await describeViews(documents)}`);
}

/** @throws {UsageError} where there is no such view, and as `findView` does. */
export async function viewNamed(documents: BuildDocuments, name: string): Promise<BuildView> {
  const found = await findView(documents, name);
  if (found) return found;
  throw new UsageError(`There is no view ${name}. ${await describeViews(documents)}`);
}

/** What there is, in a sentence or two. */
export async function describeViews(documents: Pick<Documents, 'collections'>): Promise<string> {
  const builds = (await documents.collections()).filter((name) => parseBuildName(name) !== null);
  const names = VIEWS.flatMap(({ name, readModel }) =>
    builds
      .filter((build) => readModel !== null && build.startsWith(`${readModel}@`))
      .map((build) => `${name}${build.slice(build.indexOf('@'))}`),
  );
  const ofBuilds = names.length === 0 ? '' : ` One build alone: ${names.join(', ')}.`;
  return `The views are ${VIEWS.map(({ name }) => name).join(', ')}.${ofBuilds}`;
}
