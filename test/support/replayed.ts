import { listings } from '../../projections/listings/index.ts';
import { createDecoder, type Decode } from '../../src/events/decode.ts';
import type { Log } from '../../src/events/log/port.ts';
import { EVENT_TYPES } from '../../src/events/event-types.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { omissionsOf, NONE } from '../../src/projecting/replay/build-omissions.ts';
import { historyOf, spanOf } from '../../src/projecting/replay/history.ts';
import { shadowProjection, replayInto } from '../../src/projecting/replay/replay-into.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import type { Shadow } from '../../src/stores/shadows.ts';
import { storedIn } from './documents.ts';

export const decode = createDecoder(EVENT_TYPES);

export interface Asked {
  readonly name: string;
  readonly projection?: Projection;
  /** Unix milliseconds. */
  readonly from?: number;
  readonly until?: number;
  readonly documents?: Documents;
  readonly signal?: AbortSignal;
  readonly build?: string | null;
  readonly decode?: Decode;
}

/** Replays a part of the stage's log, as the command does. */
export async function replayed(
  { log, documents, now }: { readonly log: Log; readonly documents: Documents; readonly now: number },
  asked: Asked,
): Promise<Shadow> {
  const { name, projection = listings, build = null, decode: read = decode } = asked;
  const { signal = new AbortController().signal, from = null, until = null } = asked;
  const history = await historyOf(log, projection.topics);
  const span = await spanOf(history, { from, until, now, signal });
  const omissions = build === null ? NONE : await omissionsOf(documents, build);
  return await replayInto(
    { documents: asked.documents ?? documents, decode: read, signal },
    {
      projection: shadowProjection(projection, name),
      told: { source: 'log', formula: null },
      history,
      span,
      omissions,
    },
  );
}

/** What stands in a collection, by id. */
export async function bodiesOf(documents: Documents, collection: string): Promise<Map<string, unknown>> {
  return new Map((await storedIn(documents, collection)).map(({ id, body }) => [id, body]));
}
