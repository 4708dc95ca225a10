import { note, openLine } from './output.ts';
import { number, duration } from '../platform/amounts.ts';
import { systemClock } from '../platform/clock.ts';

/**
 * Shows how far something has come: a line that is rewritten on a terminal, a few lines in a file. Disposing it ends the
 * line: without that, a terminal's spinner would keep the process alive.
 */
export interface Progress extends Disposable {
  /** `total` null where it is not known. `aside` is said behind the numbers. */
  update(done: number, total: number | null, aside?: string): void;
}

const LINE_EVERY_MS = 2000;
const QUIET_MS = 1000;

/**
 * `what` names the things that are counted, in the plural: `events published`. Quiet for the first second. `from` is what
 * was done before: no rate comes of that.
 */
export function showProgress(what: string, from = 0): Progress {
  const started = systemClock.monotonic();
  const line = openLine();
  let lastLine = started - LINE_EVERY_MS + QUIET_MS;
  return {
    update: (done, total, aside = '') => {
      const now = systemClock.monotonic();
      if (now - started < QUIET_MS) return;
      const text = `${progressText(what, { done, from, total }, now - started)}${aside && `, ${aside}`}`;
      if (line) line.show(text);
      else if (now - lastLine >= LINE_EVERY_MS) {
        lastLine = now;
        note(text);
      }
    },
    [Symbol.dispose]: () => line?.end(),
  };
}

interface Counted {
  readonly done: number;
  readonly from: number;
  readonly total: number | null;
}

function progressText(what: string, { done, from, total }: Counted, elapsedMs: number): string {
  if (done <= from && total !== null) return `${number(done)} of ${number(total)} ${what}`;
  const rate = (done - from) / (elapsedMs / 1000);
  const speed = `${number(Math.round(rate))}/s`;
  if (total === null) return `${number(done)} ${what}, ${speed}`;
  const left = duration(((total - done) / rate) * 1000);
  return `${number(done)} of ${number(total)} ${what}, ${speed}, ${left} left`;
}
