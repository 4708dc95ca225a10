import { note, openLine } from './output.ts';
import { number, duration } from '../platform/text/format.ts';
import { systemClock } from '../platform/time/clock.ts';

/**
 * Shows how far something has come: a line that is rewritten on a terminal, a few lines in a file. Disposing it ends the
 * line: without that, a terminal's spinner would keep the process alive.
 */
export interface Progress extends Disposable {
  /** `total` null where it is not known. */
  update(done: number, total: number | null): void;
}

const LINE_EVERY_MS = 2000;
const QUIET_MS = 1000;

/** `what` names the things that are counted, in the plural: `events published`. Quiet for the first second. */
export function showProgress(what: string): Progress {
  const started = systemClock.monotonic();
  const line = openLine();
  let lastLine = started - LINE_EVERY_MS + QUIET_MS;
  return {
    update: (done, total) => {
      const now = systemClock.monotonic();
      if (now - started < QUIET_MS) return;
      const rate = done / ((now - started) / 1000);
      const isKnown = done > 0 && now - started >= ESTIMATE_AFTER_MS;
      const text = progressText(what, { done, total, rate, isKnown });
      if (line) line.show(text);
      else if (now - lastLine >= LINE_EVERY_MS) {
        lastLine = now;
        note(text);
      }
    },
    [Symbol.dispose]: () => line?.end(),
  };
}

/** One progress after the other. */
export function showSteps(): Disposable & {
  readonly update: (what: string, done: number, total: number | null) => void;
  /** Before somebody else shows one: a terminal has one line for it. */
  readonly end: () => void;
} {
  let shown: { readonly what: string; readonly progress: Progress } | null = null;
  const end = (): void => {
    shown?.progress[Symbol.dispose]();
    shown = null;
  };
  return {
    update: (what, done, total) => {
      if (shown?.what !== what) {
        end();
        shown = { what, progress: showProgress(what) };
      }
      shown.progress.update(done, total);
    },
    end,
    [Symbol.dispose]: end,
  };
}

const ESTIMATE_AFTER_MS = 5000;

interface Counted {
  readonly done: number;
  readonly total: number | null;
  /** A second. */
  readonly rate: number;
  /** Whether there is enough to tell by how long the rest takes. */
  readonly isKnown: boolean;
}

function progressText(what: string, { done, total, rate, isKnown }: Counted): string {
  const speed = `${number(Math.round(rate))}/s`;
  if (total === null) return `${number(done)} ${what}, ${speed}`;
  const known = `${number(done)} of ${number(total)} ${what}`;
  if (!isKnown || rate <= 0) return known;
  const left = duration(((total - done) / rate) * 1000);
  return `${known}, ${speed}, ${left} left`;
}
