import { note, openLine } from './output.ts';
import { number, duration } from './amounts.ts';

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
  const started = Date.now();
  const line = openLine();
  let lastLine = started - LINE_EVERY_MS + QUIET_MS;
  return {
    update: (done, total) => {
      const now = Date.now();
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

function progressText(what: string, done: number, total: number | null, elapsedMs: number): string {
  if (done === 0 && total !== null) return `${number(done)} of ${number(total)} ${what}`;
  const rate = done / (elapsedMs / 1000);
  const speed = `${number(Math.round(rate))}/s`;
  if (total === null) return `${number(done)} ${what}, ${speed}`;
  const left = duration(((total - done) / rate) * 1000);
  return `${number(done)} of ${number(total)} ${what}, ${speed}, ${left} left`;
}
