import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { messageOf } from '../platform/errors.ts';
import { repeat } from '../platform/time/repeat.ts';
import { RENDERERS, type Renderer, type Renders } from '../stores/renderers.ts';
import { openHeartbeat, sweepHeartbeats } from '../stores/heartbeats.ts';
import type { Parts } from './parts.ts';

/** A process that has missed several turns is not there any more: five of them. */
const BEAT_MS = 3000;

/**
 * Says every few seconds which versions of the read models this process can serve, so that none is made live that it
 * cannot. Rejects where it cannot be said the first time; after that a failure is logged once, and made good by the next turn.
 */
export async function announceRendering(
  { documents, clock, logger }: Pick<Parts, 'documents' | 'clock' | 'logger'>,
  renders: Renders,
): Promise<AsyncDisposable> {
  await documents.declare(RENDERERS);
  const name = randomUUID();
  const body = { where: `${hostname()}:${process.pid}`, renders };
  const heartbeat = openHeartbeat<Renderer>(documents, RENDERERS, name);
  const beat = async (): Promise<void> => {
    await heartbeat.beat({ at: await documents.now(), ...body });
  };
  await beat();
  await sweepHeartbeats(documents, RENDERERS);
  let isHeard = true;
  const beating = repeat(clock, BEAT_MS, async () => {
    try {
      await beat();
      isHeard = true;
    } catch (thrown) {
      if (isHeard)
        logger.warn({ reason: messageOf(thrown) }, 'this process cannot say which builds it can serve');
      isHeard = false;
    }
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await beating[Symbol.asyncDispose]();
      try {
        await heartbeat.leave();
      } catch (thrown) {
        logger.debug({ reason: messageOf(thrown) }, 'this process could not say that it serves no more');
      }
    },
  };
}
