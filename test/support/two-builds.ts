import type { ListingRegisters, ListingView } from '../../projections/listings/document.ts';
import { listings } from '../../projections/listings/index.ts';
import type { Parts } from '../../src/compose/parts.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { collectionOf, collectionSpec, type Projection } from '../../src/projecting/engine/projection.ts';
import { claimVersion } from '../../src/stores/claim-version.ts';
import { ALIASES } from '../../src/stores/aliases.ts';
import { SHADOWS } from '../../src/stores/shadows.ts';
import { foldEvents } from './read-models.ts';
import { openParts } from './parts.ts';
import { putDocument } from './documents.ts';

/** The live build of the listings, and a shadow beside it whose scores another formula made. */

/** Scores are how far they were from 30: some rise, some fall, and their order is another one. */
export const otherScores: Projection<ListingRegisters, ListingView> = {
  ...listings,
  build: 'weights',
  view: (id, registers) => rescored(listings.view(id, registers), (value) => Math.abs(value - 30)),
};

export function rescored(view: ListingView, formula: (value: number) => number): ListingView {
  if (!view.published) return view;
  return { ...view, score: { ...view.score, value: Math.round(formula(view.score.value) * 10) / 10 } };
}

export const SHADOW = collectionOf(otherScores);

/** Makes both in a data folder, of these events, as a projector and a replay would have left them. */
export async function makeTwoBuilds(
  folder: string,
  events: { readonly live: readonly CloudEvent[]; readonly shadow: readonly CloudEvent[] },
  shadow: Projection<ListingRegisters, ListingView> = otherScores,
): Promise<void> {
  await using parts = await openParts({ CATALOG_DATA: folder });
  const { documents } = parts;
  await documents.declare(ALIASES);
  const collection = collectionOf(listings);
  const { name, version } = listings;
  await claimVersion(documents, { name, version, collection, index: collection, fold: 'test' });
  await fold(parts, listings, events.live);
  await fold(parts, shadow, events.shadow);
  await documents.declare(SHADOWS);
  await putDocument(documents, SHADOWS.name, collectionOf(shadow), { made: {} });
}

async function fold(
  { documents }: Parts,
  projection: Projection,
  events: readonly CloudEvent[],
): Promise<void> {
  await documents.declare(collectionSpec(projection));
  await foldEvents(documents, projection, events);
}
