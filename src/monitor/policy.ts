import { z } from 'zod';

import { withTexts } from '../platform/schema-field-texts.ts';
import { type Locale, TEXTS } from '../texts/texts.ts';

/** The numbers of the monitor's rules (docs/reference/monitor.md), all of them published with every status. */

/** At most a day: more than anybody means, and a bound on what has to be remembered. */
const seconds = z.int().nonnegative().max(86_400);
const rounds = z.int().positive().max(1440);

const NUMBERS = {
  /** The length of a round; part of the events' contract, so not to be chosen. */
  interval_s: z.literal(60),
  /** Late probes have that long to arrive. */
  settle_s: seconds,
  degraded_rounds: rounds,
  degraded_window: rounds,
  fail_rounds: rounds,
  recover_rounds: rounds,
  steady_rounds: rounds,
  unknown_rounds: rounds,
  flap_changes: rounds,
  flap_window_s: seconds,
  flap_ok_rounds: rounds,
  reopen_s: seconds,
  stale_after_s: seconds,
};

/** In the words of the guide, where they stand behind the number. */
function meaningOf(name: string, locale: Locale): string {
  const soMany = { en: 'So many', ru: 'Столько' }[locale];
  return `${soMany} ${TEXTS[locale].docs.policy[name as keyof typeof NUMBERS]}.`;
}

export const policy = z
  .object(
    Object.fromEntries(
      Object.entries(NUMBERS).map(([name, schema]) => [
        name,
        withTexts(schema, { en: meaningOf(name, 'en'), ru: meaningOf(name, 'ru') }),
      ]),
    ) as typeof NUMBERS,
  )
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
  if (parsed.success) return contradictionIn(parsed.data) ?? parsed.data;
  const [issue] = parsed.error.issues;
  const bound = issue?.code === 'too_big' ? `most ${issue.maximum}` : 'least 1';
  return { expected: `${String(issue?.path[0])} to be at ${bound}` };
}

const CHOSEN: readonly string[] = Object.keys(DEFAULT_POLICY).filter((name) => name !== 'interval_s');

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
