import type { CategoryView } from '../../../projections/categories/document.ts';
import type { ListingView } from '../../../projections/listings/document.ts';
import { errorBody } from '../../api/error-answer.ts';
import type { Locale } from '../../texts/texts.ts';
import { problem } from '../../api/problems.ts';
import { buildTaxonomy } from '../../api/reading/build-taxonomy.ts';
import { byScore } from '../../api/reading/read-top.ts';
import { presentListing } from '../../api/routes/present-entry.ts';
import { presentTop, TOP_LIMIT } from '../../api/routes/top.ts';
import type { Parts } from '../../compose/parts.ts';
import { localUrl } from '../../config.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import { instantOrMs } from '../../platform/time/instant.ts';
import { foldDocument } from '../../projecting/engine/fold.ts';
import { collectionOf, type Projection } from '../../projecting/engine/projection.ts';
import type { Past, PastLane, PastRecord } from '../../projecting/inspect/read-model-events.ts';
import { readBuild } from '../../stores/builds.ts';
import { liveBuildAt } from '../../stores/aliases.ts';

/** What readers saw at some moment, of an entry or of the top, made by today's fold of what the log held then. */

const WHOLE_TOP = { kind: null, category: null, limit: TOP_LIMIT };

/**
 * Of the top where no slug is given.
 * @throws {UsageError} where the moment lies outside of what the log holds.
 */
export async function momentOf(
  parts: Parts,
  pasts: { readonly listings: Past; readonly categories: Past },
  { slug, at, locale }: { readonly slug: string | null; readonly at: number; readonly locale: Locale },
) {
  const { config, clock } = parts;
  const both = [pasts.listings, pasts.categories];
  const lanes = both.flatMap((past) => past.lanes);
  checkMoment(at, lanes, clock.now());
  const listings = await readThen(pasts.listings, at, slug === null ? undefined : new Set([slug]));
  const categories = await readThen(pasts.categories, at);
  const taxonomy = buildTaxonomy(
    [...foldAll(pasts.categories.projection, categories.records)].map(([id, view]) => {
      return { slug: id, view: view as CategoryView };
    }),
  );
  const entries = [...foldAll(pasts.listings.projection, listings.records)].flatMap(([id, made]) => {
    const view = made as ListingView;
    return view.published ? [{ id, version: '', view }] : [];
  });
  const best = entries.toSorted(byScore).slice(0, TOP_LIMIT);
  const [entry] = entries;
  const isShown = slug === null || entry !== undefined;
  const notFound = () =>
    errorBody(problem('unknown_listing'), locale, config.publicUrl ?? localUrl(config.port));
  return {
    status: isShown ? 200 : 404,
    /** That of `GET /api/v1/listings/{slug}`, or of `GET /api/v1/top`. */
    body:
      slug === null
        ? presentTop({ entries: best, total: entries.length, filter: WHOLE_TOP }, locale, taxonomy)
        : entry
          ? presentListing(entry, locale, taxonomy)
          : notFound(),
    /** Whether the log holds any event about it, of whatever time. */
    isKnown: listings.isKnown,
    /** Those that made it. */
    folds: both.map(({ projection }) => collectionOf(projection)),
    /** The builds that were live; null where nothing was, or where that is not known any more. */
    live: await Promise.all(both.map((past) => liveAt(parts, past, at))),
    /** Events that had come by then, and that the fold leaves out. */
    leftOut: listings.records.filter(({ outcome }) => outcome === 'left_out').length,
  };
}

/**
 * A moment lies between the log's beginning and now.
 * @throws {UsageError} where it lies outside; it names the range.
 * @throws {PermanentError} where the log holds nothing.
 */
function checkMoment(at: number, lanes: readonly PastLane[], now: number): void {
  const began = (some: readonly PastLane[]) => some.flatMap(({ beganAt }) => beganAt ?? []);
  if (began(lanes).length === 0) throw new PermanentError('The log holds no events to answer from.');
  // Of a partition that was cut, what came before its oldest record is not known.
  const cut = began(lanes.filter(({ earliest }) => earliest > 0));
  const from = cut.length === 0 ? Math.min(...began(lanes)) : Math.max(...cut);
  if (at >= from && at <= now) return;
  const why = cut.length === 0 ? 'the log begins then' : 'the log no longer holds what came before';
  throw new UsageError(
    `--at must lie between ${instantOrMs(from)} (${why}) and now, ${instantOrMs(now)}; got ${instantOrMs(at)}.`,
  );
}

/** What had come by then, and whether anything has at all. */
async function readThen(past: Past, at: number, subjects?: ReadonlySet<string>) {
  const records: PastRecord[] = [];
  let isKnown = false;
  for await (const record of past.records(subjects)) {
    isKnown = true;
    if (record.at <= at) records.push(record);
  }
  return { records, isKnown };
}

/** The views of all documents that these records are about. */
function foldAll(projection: Projection, records: readonly PastRecord[]): ReadonlyMap<string, unknown> {
  const events = records.flatMap((record) => (record.outcome === 'event' ? record.event : []));
  const byId = Map.groupBy(events, (event) => projection.documentId(event));
  const views = new Map<string, unknown>();
  for (const [id, own] of byId) {
    if (id === null) continue;
    const { shown } = foldDocument(projection, id, projection.registers.empty, own);
    if (shown) views.set(id, shown.view);
  }
  return views;
}

async function liveAt({ documents }: Parts, { projection, alias }: Past, at: number) {
  const build = alias && liveBuildAt(alias, at);
  const begun = build === null ? null : await readBuild(documents, build);
  // Before its projector began it, readers saw nothing of it.
  return { read_model: projection.name, build: begun && begun.began_at > at ? null : build };
}
