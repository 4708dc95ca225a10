import type { Status } from './status-body.ts';
import { componentOf, endOf, instantOf, newest, sinceOf, stateOf } from './component.ts';
import { historyOf, type TargetData } from './history.ts';
import { latencyOf } from './latency.ts';
import { isOld, momentOf, type ReadHealth } from './moment.ts';
import { overallOf, overallTimeline } from './overall.ts';
import type { Policy } from './policy.ts';
import { statusSentence } from './status-sentence.ts';
import { shownIncidents } from './shown-incidents.ts';
import { uptimeOf } from './uptime.ts';

/** The monitor's state, as readers see it: a pure function of the stored hours, the policy and the time. */

/**
 * The body of a status answer at this moment.
 *
 * While the projection lags or the stores cannot be read, the state is shown as of the last round, and `stale`: our
 * delay is never taken for the platform's silence. Only a silence that is older than the delay still counts.
 */
export function statusOf(
  targets: readonly TargetData[],
  now: number,
  policy: Policy,
  reading: ReadHealth,
): Status {
  const moment = momentOf(now, policy, reading);
  const histories = targets
    .map((watched) => historyOf(watched, moment, policy))
    .sort((a, b) => (a.target.target < b.target.target ? -1 : 1));
  const reported = newest(histories.map((history) => history.reported));
  const stale = moment.isBehind || isOld(reported, now, policy);
  const flapping = histories.some(({ machine }) => machine?.flapping ?? false);
  const timeline = overallTimeline(histories);
  const { state, indicator } = overallOf(
    histories.map((history) => ({ critical: history.target.critical, state: stateOf(history) })),
  );
  return {
    state,
    indicator,
    flapping,
    stale,
    // Not known where a target that was never probed decides.
    since: timeline.at(-1)?.state === state ? sinceOf(timeline) : null,
    checked_at: instantOf(newest(histories.map(({ machine }) => machine?.checkedAt ?? null))),
    interval_s: policy.interval_s,
    text: statusSentence({ indicator, flapping, stale, isRead: moment.isRead, isChecked: reported !== null }),
    uptime: uptimeOf(timeline, endOf(histories, policy)),
    latency_ms: latencyOf(histories),
    components: histories.map((history) => componentOf(history, policy)),
    incidents: shownIncidents(histories),
    policy,
  };
}
