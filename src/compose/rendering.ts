import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { messageOf } from '../platform/errors.ts';
import { rest } from '../platform/rest.ts';
import { RENDERERS, type Renderer, type Renders } from '../stores/renderers.ts';
import { openVoice, sweepWords } from '../stores/words.ts';
import type { Parts } from './parts.ts';

/** A process that has missed several turns is not there any more: five of them. */
const SAY_MS = 3000;

/** The word of a process under its name; the store's time is added. */
export type SayRendering = (name: string, word: Omit<Renderer, 'at'>) => Promise<void>;

interface Rendering extends AsyncDisposable {
  /**
   * From now on another thread of this process says it. One that waits for writes to the documents is woken by those of
   * other threads as by those of other processes, and not by its own.
   */
  sayThrough(say: SayRendering): void;
}

/** Says words under the names that they come with. */
export function renderingSaid(documents: Parts['documents']): SayRendering {
  const voices = new Map<string, ReturnType<typeof openVoice<Renderer>>>();
  return async (name, word) => {
    const voice = voices.get(name) ?? openVoice<Renderer>(documents, RENDERERS, name);
    voices.set(name, voice);
    await voice.say({ at: await documents.now(), ...word });
  };
}

/**
 * Says every few seconds which versions of the read models this process can serve, so that none is made live that it
 * cannot. Rejects where it cannot be said the first time; after that a failure is logged once, and made good by the next turn.
 */
export async function announceRendering(
  { documents, clock, logger }: Pick<Parts, 'documents' | 'clock' | 'logger'>,
  renders: Renders,
): Promise<Rendering> {
  await documents.declare(RENDERERS);
  const name = randomUUID();
  const word = { where: `${hostname()}:${process.pid}`, renders };
  let say = renderingSaid(documents);
  await say(name, word);
  await sweepWords(documents, RENDERERS);
  const stopping = new AbortController();
  const { signal } = stopping;

  async function goOn(): Promise<void> {
    let isHeard = true;
    for (;;) {
      await rest(clock, SAY_MS, signal);
      if (signal.aborted) return;
      try {
        await say(name, word);
        isHeard = true;
      } catch (thrown) {
        if (isHeard)
          logger.warn({ reason: messageOf(thrown) }, 'this process cannot say which builds it can serve');
        isHeard = false;
      }
    }
  }

  const going = goOn();
  return {
    sayThrough: (other) => {
      say = other;
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await going;
      try {
        await openVoice<Renderer>(documents, RENDERERS, name).leave();
      } catch (thrown) {
        logger.debug({ reason: messageOf(thrown) }, 'this process could not say that it serves no more');
      }
    },
  };
}
