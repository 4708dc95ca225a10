import type { CategoryView } from '../../../../projections/categories/document.ts';
import type { ListingView } from '../../../../projections/listings/document.ts';
import { errorBody, type ErrorBody } from '../../../api/error-answer.ts';
import type { Locale } from '../../../api/messages/texts.ts';
import { problem } from '../../../api/problems.ts';
import { buildTaxonomy, type Taxonomy } from '../../../api/reading/taxonomy.ts';
import { byScore } from '../../../api/reading/top.ts';
import type { Listing } from '../../../api/routes/listing-body.ts';
import { presentListing } from '../../../api/routes/present-listing.ts';
import { presentTop, TOP_LIMIT, type TopBody } from '../../../api/routes/top.ts';
import { localUrl } from '../../../config.ts';
import type { CatalogEvent } from '../../../events/event.ts';
import { foldDocument } from '../../../projecting/engine/fold.ts';
import { collectionOf, type Projection } from '../../../projecting/engine/projection.ts';
import type { PastRecord } from '../../../projecting/inspect/past.ts';
import { readBuild } from '../../../stores/builds.ts';
import { liveThen, type LiveThen } from '../../../stores/live-then.ts';
import { checkMoment, instant, openPast, type Asking, type CutLane, type Past } from './asking.ts';

/** What readers saw at some moment, of an entry or of the top, made by today's fold of what the log held then. */

export interface Moment extends Made {
  readonly status: 200 | 404;
  /** The body of `GET /api/v1/listings/{slug}`. */
  readonly body: Listing | ErrorBody;
  /** Whether the log holds any event about the entry, of whatever time. */
  readonly isKnown: boolean;
}

/** What an answer rests on. */
export interface Made {
  /** The folds that made it. */
  readonly folds: readonly string[];
  readonly live: readonly (LiveThen & { readonly readModel: string })[];
  /** Events that had come by then, and that the fold leaves out. */
  readonly leftOut: number;
  readonly cut: readonly CutLane[];
}

/** @throws {UsageError} where the moment lies outside of what the log holds. */
export async function momentOf(
  asking: Asking,
  { slug, at, locale }: { readonly slug: string; readonly at: number; readonly locale: Locale },
): Promise<Moment> {
  const { config } = asking.parts;
  const pasts = await openPasts(asking, at, slug);
  const records = await Array.fromAsync(pasts.listings.records());
  const then = records.filter((record) => record.at <= at);
  const view = foldAll(pasts.listings.projection, then).get(slug) as ListingView | undefined;
  const taxonomy = await taxonomyAt(pasts.categories, at);
  const isShown = view?.published === true;
  const publicUrl = config.publicUrl ?? localUrl(config.port);
  return {
    status: isShown ? 200 : 404,
    body: isShown
      ? presentListing({ id: slug, version: '', view }, locale, taxonomy)
      : errorBody(problem('unknown_listing'), locale, publicUrl),
    isKnown: records.length > 0,
    ...(await madeOf(asking, pasts, at, then)),
  };
}

export interface TopMoment extends Made {
  /** The body of `GET /api/v1/top`. */
  readonly body: TopBody;
}

/** @throws {UsageError} where the moment lies outside of what the log holds. */
export async function topAt(
  asking: Asking,
  { at, locale }: { readonly at: number; readonly locale: Locale },
): Promise<TopMoment> {
  const pasts = await openPasts(asking, at);
  const then: PastRecord[] = [];
  for await (const record of pasts.listings.records()) if (record.at <= at) then.push(record);
  const entries = [...foldAll(pasts.listings.projection, then)].flatMap(([id, made]) => {
    const view = made as ListingView;
    return view.published ? [{ id, version: '', view }] : [];
  });
  const best = entries.sort(byScore).slice(0, TOP_LIMIT);
  const shown = {
    entries: best,
    total: entries.length,
    filter: { kind: null, category: null, limit: TOP_LIMIT },
  };
  const body = presentTop(shown, locale, await taxonomyAt(pasts.categories, at));
  return { body, ...(await madeOf(asking, pasts, at, then)) };
}

interface Pasts {
  readonly listings: Past;
  readonly categories: Past;
}

/** Of all entries where none is named. */
async function openPasts(asking: Asking, at: number, subject?: string): Promise<Pasts> {
  const listings = await openPast(asking, 'listings', subject === undefined ? {} : { subject });
  const categories = await openPast(asking, 'categories');
  checkMoment('--at', at, [listings, categories], asking.parts.clock.now());
  return { listings, categories };
}

async function madeOf(
  asking: Asking,
  { listings, categories }: Pasts,
  at: number,
  then: readonly PastRecord[],
): Promise<Made> {
  return {
    folds: [listings, categories].map(({ projection }) => collectionOf(projection)),
    live: [await liveAt(asking, listings, at), await liveAt(asking, categories, at)],
    leftOut: then.filter(({ outcome }) => outcome === 'left_out').length,
    cut: [...listings.cut, ...categories.cut],
  };
}

async function taxonomyAt(categories: Past, at: number): Promise<Taxonomy> {
  const records: PastRecord[] = [];
  for await (const record of categories.records()) if (record.at <= at) records.push(record);
  const views = foldAll(categories.projection, records);
  return buildTaxonomy([...views].map(([slug, view]) => ({ slug, view: view as CategoryView })));
}

/** The views of all documents that these records are about. */
function foldAll(projection: Projection, records: readonly PastRecord[]): ReadonlyMap<string, unknown> {
  const byId = new Map<string, CatalogEvent[]>();
  for (const record of records) {
    if (record.outcome !== 'event') continue;
    const id = projection.documentId(record.event);
    if (id === null) continue;
    const events = byId.get(id);
    if (events) events.push(record.event);
    else byId.set(id, [record.event]);
  }
  const views = new Map<string, unknown>();
  for (const [id, events] of byId) {
    const { shown } = foldDocument(projection, id, projection.registers.empty, events);
    if (shown) views.set(id, shown.view);
  }
  return views;
}

async function liveAt({ parts }: Asking, { projection, alias }: Past, at: number) {
  const readModel = projection.name;
  const found = liveThen(alias, at);
  if (found.build === null || found.remark !== null) return { readModel, ...found };
  const build = await readBuild(parts.documents, found.build);
  if (!build || build.began_at <= at) return { readModel, ...found };
  const remark = `it was begun at ${instant(build.began_at)} only: readers saw nothing of it before`;
  return { readModel, build: found.build, remark };
}
