import { z } from 'zod';

import { withTexts } from '../platform/field-texts.ts';

/** The numbers of the monitor's rules (docs/reference/monitor.md), all of them published with every status. */

const seconds = z.int().nonnegative();
const rounds = z.int().positive();

export const policy = z
  .object({
    /** The length of a round; part of the events' contract, so not to be chosen. */
    interval_s: z.literal(60),
    /** Late probes have that long to arrive. */
    settle_s: withTexts(seconds, {
      en: 'A round counts so long after it has ended.',
      ru: 'Раунд учитывается через столько секунд после своего конца.',
    }),
    degraded_rounds: withTexts(rounds, {
      en: 'So many rounds that are not ok, among the last degraded_window, make a component degraded.',
      ru: 'Столько раундов не ok среди последних degraded_window — и служба в degraded.',
    }),
    degraded_window: rounds,
    fail_rounds: withTexts(rounds, {
      en: 'So many failed rounds in a row make it down.',
      ru: 'Столько неудачных раундов подряд — и служба в down.',
    }),
    recover_rounds: withTexts(rounds, {
      en: 'So many rounds in a row bring it back from down or unknown.',
      ru: 'Столько раундов подряд выводят из down или unknown.',
    }),
    steady_rounds: withTexts(rounds, {
      en: 'So many ok rounds in a row bring it from degraded to up.',
      ru: 'Столько раундов ok подряд возвращают из degraded в up.',
    }),
    unknown_rounds: withTexts(rounds, {
      en: 'So many silent rounds in a row make it unknown.',
      ru: 'Столько раундов тишины подряд — и состояние неизвестно.',
    }),
    flap_changes: withTexts(rounds, {
      en: 'More changes than these within flap_window_s are flapping, until flap_ok_rounds ok rounds in a row.',
      ru: 'Если за flap_window_s изменений больше, служба удерживается в degraded до flap_ok_rounds раундов ok подряд.',
    }),
    flap_window_s: seconds,
    flap_ok_rounds: rounds,
    reopen_s: withTexts(seconds, {
      en: 'An incident that starts no later after the last one is that one.',
      ru: 'Инцидент, начавшийся не позже чем через столько секунд после прошлого, считается его продолжением.',
    }),
    stale_after_s: withTexts(seconds, {
      en: 'Checks that are older make the answer stale.',
      ru: 'Если последние проверки старше, ответ помечается как stale.',
    }),
  })
  .meta({ id: 'MonitorPolicy' });
export type Policy = z.infer<typeof policy>;

export const DEFAULT_POLICY: Policy = {
  interval_s: 60,
  settle_s: 15,
  degraded_rounds: 3,
  degraded_window: 10,
  fail_rounds: 3,
  recover_rounds: 2,
  steady_rounds: 5,
  unknown_rounds: 3,
  flap_changes: 4,
  flap_window_s: 1800,
  flap_ok_rounds: 10,
  reopen_s: 300,
  stale_after_s: 180,
};

/** A day of seconds and a day of rounds: more than anybody means, and a bound on what has to be remembered. */
const MOST_SECONDS = 86_400;
const MOST_ROUNDS = 1440;

/**
 * A policy from numbers that differ from the default, written `fail_rounds=2,settle_s=20`; or what was expected
 * instead, to complete "expected ...".
 */
export function readPolicy(text: string): Policy | { readonly expected: string } {
  const given = new Map<string, number>();
  for (const pair of text.split(',').map((one) => one.trim())) {
    const [, name = '', digits = ''] = /^(\w+)=(\d{1,9})$/.exec(pair) ?? [];
    if (!CHOSEN.includes(name)) return { expected: `NAME=NUMBER pairs with the names ${CHOSEN.join(', ')}` };
    if (given.has(name)) return { expected: `${name} once` };
    given.set(name, Number(digits));
  }
  const parsed = policy.safeParse({ ...DEFAULT_POLICY, ...Object.fromEntries(given) });
  if (!parsed.success) return { expected: `${String(parsed.error.issues[0]?.path[0])} to be at least 1` };
  const tooLarge = [...given.keys()].find((name) => (given.get(name) ?? 0) > mostOf(name));
  if (tooLarge !== undefined) return { expected: `${tooLarge} to be at most ${mostOf(tooLarge)}` };
  return contradictionIn(parsed.data) ?? parsed.data;
}

const CHOSEN: readonly string[] = Object.keys(DEFAULT_POLICY).filter((name) => name !== 'interval_s');

function mostOf(name: string): number {
  return name.endsWith('_s') ? MOST_SECONDS : MOST_ROUNDS;
}

/** Numbers that are allowed one by one, and make no sense together. */
function contradictionIn(chosen: Policy): { readonly expected: string } | null {
  const { degraded_rounds, degraded_window, interval_s, settle_s, stale_after_s } = chosen;
  if (degraded_rounds > degraded_window) return { expected: 'degraded_rounds to be at most degraded_window' };
  // The newest counted round ended at least settle_s ago, and nearly a round longer before the next one counts.
  const least = interval_s + settle_s;
  if (stale_after_s < least)
    return { expected: `stale_after_s to be at least ${least}: a round and settle_s` };
  return null;
}
