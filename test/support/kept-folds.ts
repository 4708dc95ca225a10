import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { CatalogEvent } from '../../src/events/event.ts';
import { canonical } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json.ts';
import type * as Engine from '../../src/projecting/engine/fold.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { sourcesDigest } from '../../src/projecting/engine/sources.ts';
import { byDocument } from './laws.ts';

/** What runs a fold, and is not frozen with it: a fold of an earlier release is run by today's. */

const ENGINE = 'src/projecting/engine/fold.ts';

/** Of the engine in a folder that is laid out as this project is. */
export function engineDigest(root: URL): Promise<string> {
  return sourcesDigest({ roots: [new URL(ENGINE, root)] });
}

/**
 * Why a kept fold may not be run by the engine of a project; null where it may: it is the one that was kept beside the
 * fold, or one that is listed, and makes the same documents of the same events.
 */
export async function unlikeWhenKept(
  kept: { readonly projection: Projection; readonly root: URL },
  project: URL,
  { events, listed }: { readonly events: readonly CatalogEvent[]; readonly listed: readonly string[] },
): Promise<string | null> {
  const [then, now] = [await engineDigest(kept.root), await engineDigest(project)];
  if (then !== now && !listed.includes(now))
    return `${ENGINE} has changed since the fold was kept: where it makes the same documents, add '${now}' to ENGINES`;
  const [before, today] = [await loaded(kept.root), await loaded(project)];
  for (const [id, own] of byDocument(kept.projection, events)) {
    const { empty } = kept.projection.registers;
    const [one, other] = [before, today].map(({ foldDocument }) =>
      canonical(foldDocument(kept.projection, id, empty, own) as unknown as Json),
    );
    if (one !== other) return `${ENGINE} makes another document ${id} than when the fold was kept`;
  }
  return null;
}

async function loaded(root: URL): Promise<typeof Engine> {
  return (await import(join(fileURLToPath(root), ENGINE))) as typeof Engine;
}
