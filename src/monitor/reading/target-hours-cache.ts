import { setImmediate as nextTurn } from 'node:timers/promises';

import { firstKeptHour, hourOf } from '../../../projections/monitor/hours.ts';
import { firstRecentHour } from '../latency.ts';
import type { TargetData } from '../target-history.ts';
import { isClosed, lastCounted } from '../rounds.ts';
import type { Policy } from '../policy.ts';
import type { Version } from '../../stores/documents/port.ts';
import { type Clock, isFresh } from '../../platform/time/clock.ts';
import { chainOver, type Link } from './summary-chain.ts';
import type { KeptSummaries } from './stored-hour-summaries.ts';
import type { MonitorDocuments, StoredHour, TargetKey } from './documents.ts';

/** The hours as they are at a moment of the store's clock; each that has not changed is the very object given last. */
export type PollHours = (now: number) => Promise<HeldHours>;

export interface HeldHours extends Pick<TargetData, 'hours' | 'summaries'> {
  /** The newest counted round that somebody reported in; null where nobody ever has. */
  readonly reported: number | null;
}

export interface TargetHoursOptions {
  readonly target: TargetKey;
  readonly documents: MonitorDocuments;
  readonly kept: KeptSummaries;
  readonly policy: Policy;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** A late probe into an hour that is older than the last day shows after this time at the latest, in milliseconds. */
const WHOLE_MS = 60_000;

/** Hours whose versions are read at every poll: those that the last day of rounds lies in, and one more. */
const POLLED_HOURS = 26;

/**
 * What is held of one target's hours, and how it is brought up to date: the probes of the last day, and summaries of
 * all closed hours before and in it. Versions say what has changed: those of the last day are read at every poll, all of
 * them once in `WHOLE_MS`. What a poll could not finish the next one goes on with.
 */
export function createTargetHours(options: TargetHoursOptions): PollHours {
  const { target, documents, kept, policy, clock } = options;
  const versions = new Map<number, Version>();
  const views = new Map<number, StoredHour>();
  /** By our own clock: the store's may be put back, and what was read whole would look fresh until that time returns. */
  let wholeAt = Number.NEGATIVE_INFINITY;
  let links: readonly Link[] = [];
  /** Links that no chain holds yet: those that were kept, and those of a poll that failed. */
  const spare = new Map<number, Link>();
  let isKeptRead = false;

  return async function poll(now) {
    const through = lastCounted(now, policy);
    await readVersions(hourOf(through));
    const known = [...versions.keys()].sort((a, b) => a - b);
    const reported = await newestReported(known, through);
    if (reported === null) {
      links = [];
      return hold(null, []);
    }
    const first = firstKeptHour(hourOf(reported));
    const hours = known.filter((hour) => hour >= first);
    const recent = hours.filter((hour) => hour >= firstRecentHour(reported));
    await readViews(recent);
    await chain(hours.filter((hour) => isClosed(hour, through)));
    return hold(reported, recent);
  };

  async function readVersions(newest: number): Promise<void> {
    const startedAt = clock.monotonic();
    const isWhole = !isFresh(wholeAt, startedAt, WHOLE_MS);
    const from = isWhole ? 0 : newest - POLLED_HOURS + 1;
    const found = await documents.versions(target, from, newest);
    for (const hour of versions.keys())
      if (hour >= from && hour <= newest && !found.has(hour)) versions.delete(hour);
    for (const [hour, version] of found) versions.set(hour, version);
    if (isWhole) wholeAt = startedAt;
  }

  async function newestReported(hours: readonly number[], through: number): Promise<number | null> {
    for (const hour of hours.toReversed()) {
      await readViews([hour]);
      const counted = views.get(hour)?.view.rounds.findLast(({ round }) => round <= through);
      if (counted) return counted.round;
    }
    return null;
  }

  /** Reads those of which another version, or none, is held. */
  async function readViews(hours: readonly number[]): Promise<void> {
    const changed = hours.filter((hour) => views.get(hour)?.version !== versions.get(hour));
    if (changed.length === 0) return;
    const found = await documents.views(target, changed);
    for (const hour of changed) views.delete(hour);
    for (const [hour, stored] of found) views.set(hour, stored);
    noteVersions(found);
  }

  async function chain(closed: readonly number[]): Promise<void> {
    if (!isKeptRead) for (const [hour, link] of await kept.read(target.target, closed)) spare.set(hour, link);
    isKeptRead = true;
    const hours = closed.flatMap((hour) => {
      const version = versions.get(hour);
      return version === undefined ? [] : [{ hour, version }];
    });
    const made: Link[] = [];
    const onMade = (link: Link): void => {
      made.push(link);
      spare.set(link.summary.hour, link);
    };
    links = await chainOver(hours, { before: links, spare, policy, read: readClosed, onMade });
    spare.clear();
    kept.save(made);
  }

  async function readClosed(hours: readonly number[]): Promise<ReadonlyMap<number, StoredHour>> {
    // A start without kept summaries reads thousands of hours: others have their turn between them.
    await nextTurn();
    const unread = hours.filter((hour) => !views.has(hour));
    const found = unread.length === 0 ? new Map<number, StoredHour>() : await documents.views(target, unread);
    noteVersions(found);
    return new Map([...views, ...found]);
  }

  /** A document may have changed since its version was read. */
  function noteVersions(found: ReadonlyMap<number, StoredHour>): void {
    for (const [hour, { version }] of found) versions.set(hour, version);
  }

  function hold(reported: number | null, recent: readonly number[]): HeldHours {
    const wanted = new Set(recent);
    for (const hour of views.keys()) if (!wanted.has(hour)) views.delete(hour);
    const hours = recent.flatMap((hour) => views.get(hour)?.view ?? []);
    return { hours, summaries: links.map(({ summary }) => summary), reported };
  }
}
