import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { messageOf } from '../platform/errors.ts';
import { repeat } from '../platform/repeat.ts';
import { RENDERERS, type Renderer, type Renders } from '../stores/renderers.ts';
import { openVoice, sweepWords } from '../stores/words.ts';
import type { Parts } from './parts.ts';

/** A process that has missed several turns is not there any more: five of them. */
const SAY_MS = 3000;

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
  const word = { where: `${hostname()}:${process.pid}`, renders };
  const voice = openVoice<Renderer>(documents, RENDERERS, name);
  const say = async (): Promise<void> => {
    await voice.say({ at: await documents.now(), ...word });
  };
  await say();
  await sweepWords(documents, RENDERERS);
  let isHeard = true;
  const saying = repeat(clock, SAY_MS, async () => {
    try {
      await say();
      isHeard = true;
    } catch (thrown) {
      if (isHeard)
        logger.warn({ reason: messageOf(thrown) }, 'this process cannot say which builds it can serve');
      isHeard = false;
    }
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await saying[Symbol.asyncDispose]();
      try {
        await voice.leave();
      } catch (thrown) {
        logger.debug({ reason: messageOf(thrown) }, 'this process could not say that it serves no more');
      }
    },
  };
}
