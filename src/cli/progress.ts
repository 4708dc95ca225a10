import { note, openLine } from './output.ts';
import { number, duration } from '../platform/text/format.ts';
import { systemClock } from '../platform/time/clock.ts';

/**
 * Shows how far something has come, and then something else: a line that is rewritten on a terminal, a few lines in a file.
 * Disposing it ends the line: without that, a terminal's spinner would keep the process alive.
 */
export interface Progress extends Disposable {
  /**
   * `what` names the things that are counted, in the plural: `events published`. Each is quiet for its first second. `total`
   * is null where it is not known.
   */
  readonly update: (what: string, done: number, total: number | null) => void;
}

const LINE_EVERY_MS = 2000;
const QUIET_MS = 1000;

export function showProgress(): Progress {
  const line = openLine();
  let [shown, started, lastLine] = ['', 0, 0];
  return {
    update: (what, done, total) => {
      const now = systemClock.monotonic();
      if (what !== shown) {
        line?.end();
        [shown, started, lastLine] = [what, now, now - LINE_EVERY_MS + QUIET_MS];
      }
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
