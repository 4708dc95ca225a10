import { z } from 'zod';

/** The numbers of the monitor's rules (docs/reference/monitor.md), all of them published with every status. */

const seconds = z.int().nonnegative();
const rounds = z.int().positive();

export const policy = z.object({
  /** The length of a round; part of the events' contract, so not to be chosen. */
  interval_s: z.literal(60),
  /** How long after its end a round counts: late probes have that long to arrive. */
  settle_s: seconds,
  /** So many rounds that are not ok, among the last `degraded_window`, make a target degraded. */
  degraded_rounds: rounds,
  degraded_window: rounds,
  /** So many failed rounds in a row make it down. */
  fail_rounds: rounds,
  /** So many rounds in a row bring it back from down, and, where they agree, from unknown. */
  recover_rounds: rounds,
  /** So many ok rounds in a row bring it from degraded to up. */
  steady_rounds: rounds,
  /** So many silent rounds in a row make it unknown. */
  unknown_rounds: rounds,
  /** More changes than these within `flap_window_s` are flapping, until `flap_ok_rounds` ok rounds in a row. */
  flap_changes: rounds,
  flap_window_s: seconds,
  flap_ok_rounds: rounds,
  /** An incident that starts no later than this after the last one was resolved is that one. */
  reopen_s: seconds,
  /** The state is stale once the newest reported round ended longer ago than this. */
  stale_after_s: seconds,
});
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
