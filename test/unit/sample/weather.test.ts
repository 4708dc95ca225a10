import { describe, expect, test } from 'vitest';

import { createRandoms } from '../../../src/sample/random.ts';
import { TARGETS } from '../../../src/sample/targets.ts';
import { createForecast, GENTLE, ROUGH, type Spell, type Weather } from '../../../src/sample/weather.ts';

const DAY = 1440;
const FIRST = 20_000 * DAY;
const DAYS = 60;

/** Every spell of 60 days, and how many of the rounds had one. */
function spellsOf(weather: Weather): { readonly spells: readonly Spell[]; readonly troubled: number } {
  const spellAt = createForecast(weather, createRandoms('weather'));
  const spells = new Map<string, Spell>();
  let troubled = 0;
  for (let round = FIRST; round < FIRST + DAYS * DAY; round += 1) {
    const found = TARGETS.map(({ id }) => spellAt(id, round)).filter((spell) => spell !== null);
    for (const spell of found) spells.set(`${spell.target}/${spell.first}`, spell);
    troubled += found.length > 0 ? 1 : 0;
  }
  return { spells: [...spells.values()], troubled };
}

describe('the weather', () => {
  test('is known of any round, whatever was asked before', () => {
    const inOrder = createForecast(ROUGH, createRandoms('weather'));
    const rounds = Array.from({ length: 5 * DAY }, (_, index) => FIRST + index);
    const forwards = rounds.map((round) => inOrder('client', round));
    const backwards = rounds.toReversed().map((round) => inOrder('client', round));
    expect(backwards.toReversed()).toEqual(forwards);
    expect(forwards.some((spell) => spell !== null)).toBe(true);
  });

  test('of the sample is trouble once or twice a day, and almost always fair', () => {
    const { spells, troubled } = spellsOf(GENTLE);
    const days = new Set(spells.map(({ first }) => Math.floor(first / DAY)));
    expect(days.size).toBe(DAYS);
    expect(spells.length).toBeLessThanOrEqual(2 * DAYS);
    expect(troubled / (DAYS * DAY)).toBeLessThan(0.03);
  });

  test('of simulations has every kind of trouble, at every target', () => {
    const { spells } = spellsOf(ROUGH);
    expect(new Set(spells.map(({ trouble }) => trouble))).toEqual(
      new Set(['outage', 'slow', 'partial', 'flapping', 'silence']),
    );
    expect(new Set(spells.map(({ target }) => target)).size).toBe(3);
  });
});
