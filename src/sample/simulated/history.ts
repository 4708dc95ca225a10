import type { CloudEvent } from '../../events/envelope.ts';
import { SIMULATED } from '../../events/original-time.ts';
import { sha256 } from '../../platform/canonical.ts';
import { DAY_MS, instantAt, type Instant } from '../../platform/time/instant.ts';
import { readCategories } from '../catalog.ts';
import { categoryDefined, probeCompleted, targetDefined, type Origin } from '../event-builders.ts';
import { createProbes, type Probe } from '../probes.ts';
import { createRandom, integer, type Random } from '../random.ts';
import { PROBES_PER_ROUND, ROUND_MS, ROUNDS_A_DAY, TARGETS } from '../targets.ts';
import { FEW_FAULTS, MANY_FAULTS } from '../fault-schedule.ts';
import { createActivity } from './catalog-activity.ts';

export interface HistoryOptions {
  /** 1 to 1,000,000. */
  readonly entries: number;
  readonly days: number;
  /** How many events to generate; at least `leastEvents(entries)`. */
  readonly events: number;
  /** A non-negative safe integer. */
  readonly seed: number;
  /** Unix milliseconds, a whole minute; the history must not begin before 1970. */
  readonly endMs: number;
  /** Whether its last 90 days have the probes that long histories need, beside the events that were asked for. Default false. */
  readonly isYear?: boolean;
}

/** What no history is without: the taxonomy, the targets of the monitor, and each entry once. */
export function leastEvents(entries: number): number {
  return readCategories().length + TARGETS.length + entries;
}

/** Days of probes in a year: as many as the state of the monitor tells of. */
const PROBED_DAYS = 90;

/** How long before a history's beginning its entries may have been published. */
const OLDEST_DAYS = 5 * 365;

/**
 * A generated history in order of time, exactly as long as asked for; the probes of a year come on top of that. The same options give the same events. Lazy; it
 * keeps some 150 bytes for each entry.
 *
 * It begins with the taxonomy, the targets and half of the entries; the other half arrives evenly over the days. The
 * rest of the events are probes and activity. The probes are those of the last rounds: of all, where a third of the rest
 * suffices for that; of a year, those that long histories need, in its last 90 days. A probe that is never reported leaves its
 * place to the activity.
 */
export function* simulatedHistory(options: HistoryOptions): Generator<CloudEvent> {
  const { entries, seed, endMs } = options;
  const { rounds, probedRounds, probesOf, probesPerRound, present, arriving, changes } = planOf(options);
  const first = endMs / ROUND_MS - rounds;
  const random = createRandom(`${seed}/times`);
  const activity = createActivity({ entries, seed, endMs });
  const at = createOrigins(options);

  const start = instantAt(first * ROUND_MS);
  for (const category of activity.categories) yield categoryDefined(category, 1, at(start));
  for (const target of TARGETS) yield targetDefined(target, at(start));
  for (let entry = 0; entry < present; entry += 1) {
    yield activity.publishNext(at(start), integer(random, 0, OLDEST_DAYS) * DAY_MS);
  }
  for (let index = 0; index < rounds; index += 1) {
    const isProbed = index >= rounds - probedRounds;
    const probes = isProbed ? probesOf(first + index) : [];
    const silent = isProbed ? Math.max(0, probesPerRound - probes.length) : 0;
    let arrivals = dueAt(index, arriving, rounds);
    const moments = arrivals + dueAt(index, changes, rounds) + silent;
    for (const moment of inOrder(momentsOf(first + index, moments, random), probes)) {
      if (typeof moment !== 'string') {
        yield probeCompleted(moment, at(moment.time));
        continue;
      }
      yield arrivals > 0 ? activity.publishNext(at(moment), 0) : activity.change(at(moment));
      arrivals -= 1;
    }
  }
}

function planOf({ entries, days, events, seed, isYear = false }: HistoryOptions) {
  const rounds = days * ROUNDS_A_DAY;
  const rest = events - leastEvents(entries);
  const present = Math.ceil(entries / 2);
  const probesPerRound = isYear ? 0 : PROBES_PER_ROUND;
  const probedRounds = isYear
    ? Math.min(days, PROBED_DAYS) * ROUNDS_A_DAY
    : Math.min(rounds, Math.floor(rest / 3 / PROBES_PER_ROUND));
  return {
    rounds,
    /** The last so many rounds are probed. */
    probedRounds,
    probesOf: createProbes(seed, isYear ? FEW_FAULTS : MANY_FAULTS, isYear),
    /** Those that are missing in a round leave their places to the activity. */
    probesPerRound,
    /** Entries that are there when the history begins, and entries that arrive in it. */
    present,
    arriving: entries - present,
    /** Events of the activity, apart from those in the place of silent probes. */
    changes: rest - probedRounds * probesPerRound,
  };
}

/** Numbers the events, under a source that no other history has. */
function createOrigins(options: HistoryOptions): (time: Instant) => Origin {
  const { entries, days, events, seed, endMs, isYear = false } = options;
  const told = [entries, days, events, seed, endMs, ...(isYear ? ['year'] : [])];
  const source = `${SIMULATED}${sha256(told.join('/')).slice(0, 12)}`;
  let last = 0;
  return (time) => {
    last += 1;
    return { id: String(last), source, time };
  };
}

/** How many of `total` things are due in one of `rounds`, where they are spread evenly. */
function dueAt(index: number, total: number, rounds: number): number {
  return Math.floor((total * (index + 1)) / rounds) - Math.floor((total * index) / rounds);
}

/** So many instants within a round, in order. */
function momentsOf(round: number, count: number, random: Random): readonly Instant[] {
  const share = (index: number): number => (index + random.uniform()) / count;
  return Array.from({ length: count }, (_, index) =>
    instantAt(Math.floor((round + share(index)) * ROUND_MS)),
  );
}

/** The moments, and the probes among them; of one time, the probes first. */
function inOrder(moments: readonly Instant[], probes: readonly Probe[]): readonly (Instant | Probe)[] {
  const timeOf = (one: Instant | Probe): Instant => (typeof one === 'string' ? one : one.time);
  return [...probes, ...moments].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0));
}
