import { note, openLine } from './output.ts';
import { duration, number } from '../texts/english-amounts.ts';
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
      const text = progressText(what, done, total, now - started);
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

function progressText(what: string, done: number, total: number | null, elapsedMs: number): string {
  const rate = done / (elapsedMs / 1000);
  const speed = `${number(Math.round(rate))}/s`;
  if (total === null) return `${number(done)} ${what}, ${speed}`;
  const known = `${number(done)} of ${number(total)} ${what}`;
  // Before that there is not enough to tell by how long the rest takes.
  if (done === 0 || elapsedMs < ESTIMATE_AFTER_MS) return known;
  const left = duration(((total - done) / rate) * 1000);
  return `${known}, ${speed}, ${left} left`;
}
