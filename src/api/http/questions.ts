import { createBoundedMap } from '../../platform/bounded-map.ts';
import type { Clock } from '../../platform/clock.ts';
import { entryBytes } from '../../platform/rough-size.ts';
import { createSeen } from '../../platform/seen.ts';
import type { Locale } from '../messages/texts.ts';
import type { Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { hasKeyInQuery, parseQuery, type QueryParameter } from './query.ts';
import { localeOf, type Read } from './read-parameters.ts';
import type { Rendering } from './rendering.ts';

/** What the target of a request asks for, read once and remembered with the answer of a moment ago. */
export interface Question {
  /** null where there is none. */
  readonly route: Route | null;
  /** The decoded parts of the path that the route names. */
  readonly path: PathParts;
  readonly sent: readonly QueryParameter[];
  readonly hasKey: boolean;
  /** Of an error. */
  readonly locale: Locale;
  /** What the route's parameters make of it; null until somebody with a good key wants to know. */
  read: Read | Problem | null;
  answered: Answered | null;
}

export type PathParts = Readonly<Record<string, string | undefined>>;

interface Answered {
  readonly rendering: Rendering;
  readonly at: number;
  /** Of what is known of documents, when it was answered. */
  readonly changes: number;
}

/**
 * Questions by their targets. Only those are kept that were answered with a body, and twice lately: callers may ask for
 * anything, and what is asked for once costs no memory. An answer stands for `keptMs`, and no longer than until a document is known to have changed, so that no answer shows what another
 * one has denied.
 */
export interface Questions {
  /** One that was answered before: its target needs no look at routes. The methods are not part of it. */
  known(target: string): Question | null;
  /** Read from its target; null where that is broken. */
  read(target: string, route: Route | null, path: PathParts): Question | null;
  /** The answer of a moment ago. */
  answerOf(question: Question): Rendering | null;
  /** `since` is when it began to be made, by `now` and `changes` of that time. */
  keep(target: string, question: Question, rendering: Rendering, since: Moment): void;
  moment(): Moment;
  /** Whether what began to be made then may still be answered to whoever asks now. */
  isFresh(since: Moment): boolean;
}

export type Moment = Pick<Answered, 'at' | 'changes'>;

export interface QuestionsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly keptMs: number;
  /** How many changes of documents were noticed so far. */
  readonly changes: () => number;
  /** The bound of what is kept, in rough bytes of memory. */
  readonly maxBytes: number;
}

/** What is noted of a question, beside its target and the body of its answer: measured, with room to spare. */
const QUESTION_BYTES = 2000;
/** A body is kept in several forms: packed, and as text beside bytes. */
const FORMS = 3;

export function createQuestions({ clock, keptMs, changes, maxBytes }: QuestionsOptions): Questions {
  const kept = createBoundedMap<Question>(maxBytes);
  const seen = createSeen();

  return {
    known: (target) => kept.get(target) ?? null,

    read(target, route, path) {
      const sent = parseQuery(target);
      if (!sent) return null;
      const locale = localeOf(sent, route && 'lang' in route.parameters ? 'lang' : 'locale');
      return { route, path, sent, hasKey: hasKeyInQuery(sent), locale, read: null, answered: null };
    },

    answerOf: ({ answered }) => (answered && isFresh(answered) ? answered.rendering : null),

    keep(target, question, rendering, { at, changes: before }) {
      const isSame = question.answered?.rendering === rendering;
      question.answered = { rendering, at, changes: before };
      if (isSame) return;
      if (kept.peek(target) || seen.has(target)) {
        kept.set(target, question, entryBytes(target) + QUESTION_BYTES + FORMS * rendering.size);
      } else seen.add(target);
    },

    moment: () => ({ at: clock.monotonic(), changes: changes() }),
    isFresh,
  };

  function isFresh({ at, changes: before }: Moment): boolean {
    return before === changes() && clock.monotonic() - at < keptMs;
  }
}
