import { setImmediate as nextTurn } from 'node:timers/promises';

import { advanceHour, type HourSummary, isCurrent, rulesOf } from '../hour-summary.ts';
import type { Policy } from '../policy.ts';
import type { Version } from '../../stores/documents/port.ts';
import type { StoredHour } from './documents.ts';

/**
 * The chain of summaries of a target's closed hours. Each goes on where the one before it ended, so a changed hour makes
 * its own summary again, and those after it up to the first one that begins as it did before: rarely more than a few.
 */
export interface Link {
  /** Of the hour's document that the summary was made from. */
  readonly version: Version;
  readonly summary: HourSummary;
}

interface ClosedHour {
  readonly hour: number;
  readonly version: Version;
}

export interface ChainOptions {
  /** The chain as it was, and further links that may fit: what those follow from is still to be checked. */
  readonly before: readonly Link[];
  readonly spare: ReadonlyMap<number, Link>;
  readonly policy: Policy;
  /** Reads the documents of these hours; one that is gone is left out. */
  readonly read: (hours: readonly number[]) => Promise<ReadonlyMap<number, StoredHour>>;
  /** Called with each link that is made. */
  readonly onMade: (link: Link) => void;
}

/** Links that are checked before others have their turn: a start checks thousands. */
const LINKS_A_TURN = 200;

/** Hours that are read at once where one after the other has to be made. */
const MOST_AHEAD = 16;

/** The chain over these hours, ascending; `before` itself where nothing has changed. Throws what `read` throws. */
export async function chainOver(
  hours: readonly ClosedHour[],
  { before, spare, policy, read, onMade }: ChainOptions,
): Promise<readonly Link[]> {
  const kept = lengthInCommon(before, hours);
  if (kept === before.length && kept === hours.length) return before;
  const links = before.slice(0, kept);
  const candidates = new Map([
    ...spare,
    ...before.slice(kept).map((link) => [link.summary.hour, link] as const),
  ]);
  const ahead = new Map<number, StoredHour>();
  const rules = rulesOf(policy);
  let count = 1;
  for (const [index, { hour, version }] of hours.entries()) {
    if (index < kept) continue;
    if ((index - kept) % LINKS_A_TURN === LINKS_A_TURN - 1) await nextTurn();
    const previous = links.at(-1)?.summary ?? null;
    const candidate = candidates.get(hour);
    if (candidate?.version === version && isCurrent(candidate.summary, previous, rules)) {
      links.push(candidate);
      count = 1;
      continue;
    }
    if (!ahead.has(hour)) {
      ahead.clear();
      const next = hours.slice(index, index + count).map((one) => one.hour);
      for (const [number, found] of await read(next)) ahead.set(number, found);
      count = Math.min(count * 2, MOST_AHEAD);
    }
    const found = ahead.get(hour);
    // Its document was removed a moment ago, and leaves the list of hours with the next poll.
    if (!found) continue;
    const link = { version: found.version, summary: advanceHour(previous, found.view, policy) };
    links.push(link);
    onMade(link);
  }
  return links;
}

function lengthInCommon(links: readonly Link[], hours: readonly ClosedHour[]): number {
  const differing = links.findIndex(
    ({ version, summary }, index) => summary.hour !== hours[index]?.hour || version !== hours[index].version,
  );
  return differing === -1 ? links.length : differing;
}
