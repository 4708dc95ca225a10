import { randomUUID } from 'node:crypto';

import { isWellFormed } from '../../../access/keys/format.ts';
import type { Clock } from '../../../platform/clock.ts';
import { errorBody } from '../../error-answer.ts';
import type { Locale } from '../../messages/texts.ts';
import { problem, PROBLEMS } from '../../problems.ts';
import { fillText, type HeadText, headText } from '../headers.ts';
import { emptyRate } from '../rate.ts';
import { JSON_TYPE } from '../rendering.ts';
import { problemFields } from '../send.ts';
import { createShapes, cutKey } from './shapes.ts';

/**
 * Refuses at the socket what needs no store to be refused: keys that have not even the form of one, in header fields that were
 * sent before with a good key. A key of the right form is looked up, so that it goes the usual way.
 */
export interface BadKeys {
  /** Whether these fields say nothing new but a key that nobody can have been given. */
  isBad(fields: string): boolean;
  /** Told of fields that Node has read, with the good key that it read in them. */
  learn(fields: string, key: string): void;
  /** The answer, in two pieces: `ending` of the head is to be put between them. */
  refusal(locale: Locale): Refusal;
}

interface Refusal {
  readonly requestId: string;
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export interface BadKeysOptions {
  readonly publicUrl: () => string;
  /** Requests per key and day. */
  readonly limit: number;
  readonly clock: Pick<Clock, 'now'>;
  /** The bound of what is remembered of header fields, in rough bytes of memory. */
  readonly maxBytes: number;
}

/** The same for all of a language. */
interface Fixed {
  readonly publicUrl: string;
  readonly head: HeadText;
  readonly body: string;
}

const BAD_KEY = problem('bad_key');
const { status } = PROBLEMS.bad_key;

export function createBadKeys({ publicUrl, limit, clock, maxBytes }: BadKeysOptions): BadKeys {
  const shapes = createShapes(maxBytes);
  const kept = new Map<Locale, Fixed>();

  return {
    isBad(fields) {
      const cut = cutKey(fields);
      return cut !== null && !isWellFormed(cut.key) && shapes.has(cut.shape);
    },

    learn(fields, key) {
      const cut = cutKey(fields);
      if (cut?.key === key) shapes.remember(cut.shape);
    },

    refusal(locale) {
      const { head, body } = fixedIn(locale);
      const requestId = randomUUID();
      return { requestId, status, head: fillText(head, requestId, emptyRate(limit, clock.now())), body };
    },
  };

  function fixedIn(locale: Locale): Fixed {
    const url = publicUrl();
    const known = kept.get(locale);
    if (known?.publicUrl === url) return known;
    const bytes = Buffer.from(JSON.stringify(errorBody(BAD_KEY, locale, url)));
    const headers = problemFields(BAD_KEY, JSON_TYPE, locale);
    headers.push('Content-Length', String(bytes.length));
    const head = headText(status, undefined, headers);
    const made = { publicUrl: url, head, body: bytes.toString('latin1') };
    kept.set(locale, made);
    return made;
  }
}
