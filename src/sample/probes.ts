import { instantAt, type Instant } from '../platform/time/instant.ts';
import type { JsonObject } from '../platform/json-value.ts';
import { createRandoms, integer, type Random } from './random.ts';
import {
  ROUND_MS,
  ROUNDS_A_DAY,
  TARGETS,
  VANTAGE_POINTS,
  type Target,
  type VantagePoint,
} from './targets.ts';
import { createFaultSchedule, type Fault, type FaultProfile } from './fault-schedule.ts';

/** A generated probe of a target. */
export interface Probe {
  /** The target's id. */
  readonly target: string;
  /** Says which probe this is: target, vantage point and round. */
  readonly name: string;
  /** When it was checked. */
  readonly time: Instant;
  /** What the schema of `monitor.probe.completed.v1` asks for. */
  readonly data: JsonObject;
}

/** Every third round: two silent ones in a row are no silence to the rules of the monitor. */
const COARSE_ROUNDS = 3;
/** Rounds after the end of a fault in which the targets are looked at as closely. */
const AFTERMATH = 5;

/**
 * The probes of any round, in order of time. Each is a pure function of the seed, the profile, the target, the vantage
 * point and the round: to generate it again is to repeat it.
 *
 * `isCoarse`: of the same probes as many as long histories need. While nothing is wrong, every third round from one place; during
 * a fault, and in the rounds that end it, all of them.
 */
export function createProbes(
  seed: number,
  profile: FaultProfile,
  isCoarse = false,
): (round: number) => readonly Probe[] {
  // The sequence keeps its first name: another one would change the probes of every seed.
  const faultAt = createFaultSchedule(profile, createRandoms(`${seed}/weather`));
  const randoms = createRandoms(`${seed}/probes`);
  return (round) => {
    const probes: Probe[] = [];
    for (const [targetIndex, target] of TARGETS.entries()) {
      const fault = faultAt(target.id, round);
      const isFaulty = fault !== null || faultAt(target.id, round - AFTERMATH) !== null;
      for (const [pointIndex, point] of VANTAGE_POINTS.entries()) {
        const isSeldom = isCoarse && !isFaulty;
        if (isSeldom && (round % COARSE_ROUNDS > 0 || pointIndex > 0)) continue;
        const random = randoms(round, targetIndex * VANTAGE_POINTS.length + pointIndex);
        const check = checkOf(target, point, round, fault, random);
        const isLost = random.uniform() < profile.lost;
        if (check && !isLost) probes.push(probeOf(target, point, round, check, random));
      }
    }
    return probes.sort((a, b) => (a.time < b.time ? -1 : 1));
  };
}

type Check =
  | { readonly result: 'ok' | 'slow'; readonly latency_ms: number }
  | { readonly result: 'fail'; readonly cause: string };

function probeOf(target: Target, point: VantagePoint, round: number, check: Check, random: Random): Probe {
  // What is sent in a round is back before its end.
  const time = instantAt(round * ROUND_MS + integer(random, 500, 45_000));
  const attempts = check.result === 'fail' ? 3 : random.uniform() < 0.02 ? 2 : 1;
  return {
    target: target.id,
    name: `${target.id}/${point.id}/${round}`,
    time,
    data: { vantage_point: point.id, round, checked_at: time, ...check, attempts },
  };
}

/** null: nothing is reported. */
function checkOf(
  target: Target,
  point: VantagePoint,
  round: number,
  fault: Fault | null,
  random: Random,
): Check | null {
  const { slowMs } = target;
  const latency = latencyOf(target, point, round, random);
  const chance = random.uniform();
  const failed: Check = { result: 'fail', cause: fault?.cause ?? 'timeout' };
  const slow: Check = { result: 'slow', latency_ms: slowMs + 8 * latency };
  const ok = (latencyMs: number): Check => ({ result: 'ok', latency_ms: Math.min(latencyMs, slowMs) });
  const usual = (): Check => (chance < 0.0004 ? failed : chance < 0.004 ? slow : ok(latency));
  switch (fault?.type) {
    case 'outage':
      return chance < 0.97 ? failed : ok(latency);
    case 'slow':
      return chance < 0.85 ? slow : ok(5 * latency);
    case 'partial':
      return point.id === fault.point ? failed : usual();
    case 'flapping':
      return isGone(round, fault) ? failed : usual();
    case 'silence':
      return null;
    case undefined:
      return usual();
  }
}

/** Three rounds away, three rounds back, and so on. */
function isGone(round: number, { first }: Fault): boolean {
  return Math.floor((round - first) / 3) % 2 === 0;
}

/** At noon (UTC) it answers in half as long again as at midnight, and some answers take much longer than most. */
function latencyOf({ medianMs }: Target, { awayMs }: VantagePoint, round: number, random: Random): number {
  const fromNoon = Math.abs((round % ROUNDS_A_DAY) / ROUNDS_A_DAY - 0.5) * 2;
  const busy = 1 + 0.5 * (1 - fromNoon);
  const tail = random.uniform() < 0.03 ? 1 + 3 * random.uniform() : 1;
  return Math.round(awayMs + medianMs * busy * tail * random.logNormal(1, 0.2));
}
