import type { ProbeCompleted } from '../../src/events/monitor.ts';
import { MINUTE, probe } from './monitor.ts';

/** Probes of several targets over days, from a seed: quiet times, slow spells, outages, flapping and silence. */

export interface Simulation {
  readonly targets: readonly string[];
  readonly first: number;
  readonly rounds: number;
  readonly seed: number;
}

interface Spell {
  readonly weight: number;
  readonly longest: number;
  readonly fail: number;
  readonly slow: number;
  readonly silent: number;
}

const SPELLS: readonly Spell[] = [
  { weight: 60, longest: 400, fail: 0.001, slow: 0.01, silent: 0.01 },
  { weight: 10, longest: 40, fail: 0.05, slow: 0.6, silent: 0.02 },
  { weight: 10, longest: 25, fail: 0.95, slow: 0.01, silent: 0.02 },
  { weight: 10, longest: 60, fail: 0.4, slow: 0.2, silent: 0.2 },
  { weight: 6, longest: 15, fail: 0, slow: 0, silent: 0.95 },
  { weight: 4, longest: 120, fail: 0, slow: 0, silent: 1 },
];
const POINTS = ['ap', 'eu', 'us'];
const CAUSES = ['timeout', 'dns', 'refused', null] as const;

export function simulatedProbes(simulation: Simulation): readonly ProbeCompleted[] {
  const random = randomFrom(simulation.seed);
  return simulation.targets.flatMap((target) => probesOf(target, simulation, random));
}

/** The same values in another order, and some of them twice. */
export function rearranged<T>(values: readonly T[], seed: number): readonly T[] {
  const random = randomFrom(seed);
  const dealt = values.flatMap((value) => (random() < 0.1 ? [value, value] : [value]));
  const keyed = dealt.map((value) => ({ value, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

/** A linear congruential generator (Numerical Recipes): numbers from 0 to below 1. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function probesOf(target: string, { first, rounds }: Simulation, random: () => number): ProbeCompleted[] {
  const probes: ProbeCompleted[] = [];
  let spell = pick(random);
  let left = 0;
  for (let round = first; round < first + rounds; round += 1) {
    if (left === 0) {
      spell = pick(random);
      left = 1 + Math.floor(random() * spell.longest);
    }
    left -= 1;
    // Silence is mostly that of all places at once: the prober's, not the target's.
    if (random() < spell.silent) continue;
    for (const vantage_point of POINTS) {
      if (random() < 0.03) continue;
      const result = random() < spell.fail ? 'fail' : random() < spell.slow ? 'slow' : 'ok';
      const checked_at = new Date(round * MINUTE + Math.floor(random() * 58_000)).toISOString();
      const latency_ms = result === 'fail' ? null : Math.round((50 + 900 * random() ** 6) * 10) / 10;
      const cause = result === 'fail' ? (CAUSES[Math.floor(random() * CAUSES.length)] ?? null) : null;
      probes.push(probe({ target, round, vantage_point, result, checked_at, latency_ms, cause }));
    }
  }
  return probes;
}

function pick(random: () => number): Spell {
  let place = random() * SPELLS.reduce((sum, { weight }) => sum + weight, 0);
  const found = SPELLS.find(({ weight }) => {
    place -= weight;
    return place < 0;
  });
  return found ?? (SPELLS[0] as Spell);
}
