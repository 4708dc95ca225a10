import { duration } from '../../texts/english-amounts.ts';
import { resolve } from 'node:path';

import type { Parts } from '../../compose/parts.ts';
import type { Config } from '../../config.ts';
import type { Role, Store } from '../process-role.ts';

/** What a look has found. */
export interface Look {
  /** `problem`: it does not work, or loses something. `not_checked`: it could not be looked at; the message says why. */
  readonly verdict: 'ok' | 'warning' | 'problem' | 'not_checked';
  /** One line: what is, and what is wrong with it. */
  readonly message: string;
  /** What to do; null where there is nothing to do. */
  readonly hint: string | null;
}

export interface CheckResult extends Look {
  /** What was looked at: configuration, disk, documents, release, log, search, provider. */
  readonly area: string;
  readonly name: string;
}

/** One thing to look at. A look that throws is a problem itself, never the end of the others. */
export interface Check {
  readonly name: string;
  /** What to do where the look itself fails. */
  readonly hint?: string;
  /** null where there is nothing to say. */
  readonly look: () => Look | null | Promise<Look | null>;
}

export interface Area {
  readonly name: string;
  /** The processes that it is about. */
  readonly roles: readonly Role[];
  /** The store that it is about: the first check asks whether that answers, and the others are made where it does. */
  readonly store?: Store;
  /** Stores that have to be reached before, of those that the process uses. */
  readonly needs?: readonly Store[];
  readonly checks: (parts: Parts, role: Role) => readonly Check[] | Promise<readonly Check[]>;
}

export function ok(message: string): Look {
  return { verdict: 'ok', message, hint: null };
}

export function notChecked(message: string): Look {
  return { verdict: 'not_checked', message, hint: null };
}

export function warning(message: string, hint: string): Look {
  return { verdict: 'warning', message, hint };
}

export function problem(message: string, hint: string): Look {
  return { verdict: 'problem', message, hint };
}

/** The first check of a store: whether it answers. */
export function reachCheck(scheme: string, hint: string, ask: () => Promise<unknown>): Check {
  const look = async (): Promise<Look> => {
    await ask();
    return ok(`${scheme} answers.`);
  };
  return { name: 'reached', hint, look };
}

/** From here on a difference between two clocks shows in ages and dates, in milliseconds. */
const OFF_MS = 1000;
/** From here on it is wrong on what counts: the quota's day, the freshness of the monitor. */
const FAR_OFF_MS = 30_000;

/** Another clock, read between two readings of ours: where its time lies outside the two, by how much at least. */
export function differenceOf(before: number, theirs: number, after: number): number {
  if (theirs < before) return theirs - before;
  return Math.max(0, theirs - after);
}

/** `differenceMs` is how much the other clock is ahead, at least. */
export function judgeClock(differenceMs: number): Look {
  const off = Math.abs(differenceMs);
  if (off < OFF_MS) return ok('it agrees with this machine within a second.');
  const message = `it is ${duration(off)} ${differenceMs < 0 ? 'behind' : 'ahead of'} this machine.`;
  const hint = 'Let a time service (NTP) set the clocks of all machines.';
  return off < FAR_OFF_MS ? warning(message, hint) : problem(message, hint);
}

/** The file of a store that is embedded, by its setting; null where the store is a service. */
export function fileOf(config: Config, store: Store): string | null {
  const url = config[`${store}Url`];
  return url.scheme === 'sqlite' ? resolve(url.path) : null;
}
