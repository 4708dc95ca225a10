import { messageOf } from '../../../platform/errors.ts';

/**
 * What the environment is for: `serve` needs no log, and fewer rights than everything else; `accounts serve` needs the
 * documents alone.
 */
export type Role = 'serve' | 'project' | 'accounts';

/** What one check has found. */
export interface Checked {
  /** What was looked at: configuration, log, documents, search, projectors, clocks, disk, release, provider. */
  readonly area: string;
  readonly name: string;
  /** `problem`: it does not work, or loses something. `not_checked`: it could not be looked at; the message says why. */
  readonly verdict: 'ok' | 'warning' | 'problem' | 'not_checked';
  /** One line: what is, and what is wrong with it. */
  readonly message: string;
  /** What to do; null where there is nothing to do. */
  readonly hint: string | null;
}

/** Collects what the checks of one area find. A check that throws is a problem itself, never the end of the others. */
export interface Area {
  ok(name: string, message: string): void;
  warning(name: string, message: string, hint: string): void;
  problem(name: string, message: string, hint: string): void;
  notChecked(name: string, message: string): void;
  /** Runs a check that reaches for something. False where it threw; then `hint` says what to do. */
  attempt(name: string, hint: string, work: () => Promise<void>): Promise<boolean>;
}

export function openArea(area: string, found: Checked[]): Area {
  const add = (verdict: Checked['verdict'], name: string, message: string, hint: string | null): void =>
    void found.push({ area, name, verdict, message, hint });
  return {
    ok: (name, message) => add('ok', name, message, null),
    warning: (name, message, hint) => add('warning', name, message, hint),
    problem: (name, message, hint) => add('problem', name, message, hint),
    notChecked: (name, message) => add('not_checked', name, message, null),
    attempt: async (name, hint, work) => {
      try {
        await withinLimit(work());
        return true;
      } catch (thrown) {
        add('problem', name, messageOf(thrown), hint);
        return false;
      }
    },
  };
}

/** How long one check may take, in milliseconds: longer than any store is given to answer by itself. */
const LIMIT_MS = 35_000;

async function withinLimit(work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = setTimeout(() => reject(new Error(`no answer within ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(late);
  }
}

/** From here on a difference between two clocks shows in ages and dates, in milliseconds. */
const OFF_MS = 1000;
/** From here on it is wrong on what counts: the quota's day, the freshness of the monitor. */
const FAR_OFF_MS = 30_000;

const HINT = 'Let a time service (NTP) set the clocks of all machines.';

/** Another clock, read between two readings of ours: where its time lies outside the two, by how much at least. */
export function differenceOf(before: number, theirs: number, after: number): number {
  if (theirs < before) return theirs - before;
  return Math.max(0, theirs - after);
}

/** `differenceMs` is how much the other clock is ahead, at least. */
export function judgeClock(area: Area, name: string, differenceMs: number): void {
  const seconds = (Math.abs(differenceMs) / 1000).toFixed(1);
  const message = `it is ${seconds} s ${differenceMs < 0 ? 'behind' : 'ahead of'} this machine.`;
  if (Math.abs(differenceMs) >= FAR_OFF_MS) area.problem(name, message, HINT);
  else if (Math.abs(differenceMs) >= OFF_MS) area.warning(name, message, HINT);
  else area.ok(name, 'it agrees with this machine within a second.');
}
