import { listings } from '../../projections/listings/index.ts';
import { startProjector } from '../../src/compose/projector.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { readProgress } from '../../src/projecting/inspect/lane-progress.ts';
import { countMarks } from '../../src/stores/outbox.ts';
import { untilDone } from '../until-done.ts';
import type { Work } from './child.ts';

/** As it is shipped, from a full log until nothing is left to project or to index. */
export const projector: Work = async (parts) => async () => {
  await using _running = await startProjector(parts, { acceptGaps: [] });
  let events = 0;
  const left = async (): Promise<number> => {
    const lanes = await readProgress(parts);
    const { put, remove } = await countMarks(parts.documents, collectionOf(listings));
    events = lanes.reduce((sum, { position }) => sum + (position ?? 0), 0);
    return lanes.reduce((sum, { lag }) => sum + lag, 0) + put + remove;
  };
  await untilDone({ left, everyMs: 100 });
  return events;
};
