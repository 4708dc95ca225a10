import { readFileSync } from 'node:fs';

import { categories } from '../../projections/categories/index.ts';
import { PROJECTIONS } from '../../projections/index.ts';
import { listings } from '../../projections/listings/index.ts';
import { monitor } from '../../projections/monitor/index.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { unixMs } from '../../src/platform/time/instant.ts';
import { collectionOf, collectionSpec, type Projection } from '../../src/projecting/engine/projection.ts';
import { readEntries } from '../../src/sample/catalog.ts';
import { lastRoundBy } from '../../src/sample/targets.ts';
import { sampleEvents, sampleProbes } from '../../src/sample/sample.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { foldEvents } from './read-models.ts';

const PAGE = new URL('../../docs/reference/documents.md', import.meta.url);

/**
 * The statements of every block in a language that docs/reference/documents.md shows, with the collections of this release
 * in the place of those that the page names.
 */
export function documentedExamples(language: 'js' | 'sql'): readonly string[] {
  const blocks = readFileSync(PAGE, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'));
  return [...blocks].flatMap(([, block = '']) =>
    block
      .trimEnd()
      .split(/;(?:\n|$)/)
      .filter(Boolean)
      .map(ofThisRelease),
  );
}

function ofThisRelease(example: string): string {
  return example.replace(/(?<=db\['|"d:)(\w+)@\d+(?='\]|")/g, (shown, name) => {
    const projection = PROJECTIONS.find((one) => one.name === name);
    return projection ? collectionOf(projection) : shown;
  });
}

/** Fills a store with a part of the sample: its categories, every fortieth entry, its targets, an hour of probes. */
export async function fillWithSample(documents: Documents): Promise<void> {
  const events = [...someOfTheSample()];
  const fill = async (projection: Projection, about: string): Promise<void> => {
    await documents.declare(collectionSpec(projection));
    await foldEvents(
      documents,
      projection,
      events.filter(({ type }) => type.startsWith(about)),
    );
  };
  await fill(listings, 'catalog.entry.');
  await fill(categories, 'catalog.category.');
  await fill(monitor, 'monitor.');
}

function* someOfTheSample(): Generator<CloudEvent> {
  const slugs = new Set(readEntries().flatMap(({ slug }, at) => (at % 40 === 0 ? [slug] : [])));
  for (const event of sampleEvents(END)) {
    // What comes last, and is most of it.
    if (event.type === 'monitor.probe.completed') break;
    if (!event.type.startsWith('catalog.entry.') || slugs.has(event.subject)) yield event;
  }
  const last = lastRoundBy(unixMs(END));
  yield* sampleProbes({ first: last - 69, last });
}

const END = '2026-03-01T12:00:00.000Z';
