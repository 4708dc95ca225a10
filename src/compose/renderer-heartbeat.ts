import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { repeat } from '../platform/time/repeat.ts';
import { RENDERERS, type Renderer, type ServableVersions } from '../stores/renderers.ts';
import { createHeart } from '../stores/heartbeats.ts';
import type { Parts } from './parts.ts';

/** A process that has missed several turns is not there any more: five of them. */
const BEAT_MS = 3000;

/**
 * Says every few seconds which versions of the read models this process can serve, so that none is made live that it
 * cannot. Rejects where it cannot be said the first time; after that a failure is logged once, and made good by the next turn.
 */
export async function startRendererHeartbeat(
  parts: Pick<Parts, 'documents' | 'clock' | 'logger'>,
  renders: ServableVersions,
): Promise<AsyncDisposable> {
  const body = () => ({ where: `${hostname()}:${process.pid}`, renders });
  const heart = createHeart<Renderer>(parts, RENDERERS, randomUUID());
  await heart.beat(body);
  const beating = repeat(parts.clock, BEAT_MS, () => heart.tryBeat(body));
  return {
    [Symbol.asyncDispose]: async () => {
      await beating[Symbol.asyncDispose]();
      await heart[Symbol.asyncDispose]();
    },
  };
}
