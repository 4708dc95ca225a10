import { type Status, shownInstant, type ShownIncident } from './status-schema.ts';
import { componentOf, endOf, instantOf, newest, sinceOf, stateOf } from './target-status.ts';
import { historyOf, type TargetData, type History } from './target-history.ts';
import { latencyOf } from './latency.ts';
import { isOld, momentOf, type ReadHealth } from './reports-complete-until.ts';
import { overallOf, overallTimeline } from './overall.ts';
import type { Policy } from './policy.ts';
import { uptimeOf } from './uptime.ts';
import type { Incident } from './machine-state.ts';
import { type Locale, TEXTS, type Texts } from '../texts/texts.ts';

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
  const said = [
    indicator ?? (reported === null ? ('neverChecked' as const) : ('notChecked' as const)),
    ...(flapping ? (['flapping'] as const) : []),
    ...(stale ? (['stale'] as const) : []),
  ];
  return {
    state,
    indicator,
    flapping,
    stale,
    // Not known where a target that was never probed decides.
    since: timeline.at(-1)?.state === state ? sinceOf(timeline) : null,
    checked_at: instantOf(newest(histories.map(({ machine }) => machine?.checkedAt ?? null))),
    interval_s: policy.interval_s,
    text: inWords(moment.isRead ? said : ['notRead']),
    uptime: uptimeOf(timeline, endOf(histories, policy)),
    latency_ms: latencyOf(histories),
    components: histories.map((history) => componentOf(history, policy)),
    incidents: shownIncidents(histories),
    policy,
  };
}

const SHOWN_INCIDENTS = 10;

/** The last ones of all targets: open ones first, then the newest, then by id. */
function shownIncidents(histories: readonly History[]): ShownIncident[] {
  const all = histories.flatMap(({ target, incidents }) =>
    incidents.map((incident) => ({ incident, shown: shownIncident(target.target, incident) })),
  );
  all.sort(
    (a, b) =>
      Number(a.incident.resolved !== null) - Number(b.incident.resolved !== null) ||
      b.incident.detected - a.incident.detected ||
      (a.shown.id < b.shown.id ? -1 : 1),
  );
  return all.slice(0, SHOWN_INCIDENTS).map(({ shown }) => shown);
}

export function shownIncident(target: string, incident: Incident): ShownIncident {
  const { started, detected, resolved, severity, cause } = incident;
  return {
    id: `${target}-${Math.floor(detected / 1000)}`,
    state: resolved === null ? 'open' : 'resolved',
    severity,
    components: [target],
    cause,
    started_at: shownInstant(started),
    detected_at: shownInstant(detected),
    resolved_at: resolved === null ? null : shownInstant(resolved),
    duration_s: resolved === null ? null : Math.floor((resolved - started) / 1000),
  };
}

/** Sentences for people, in both languages. */
function inWords(sentences: readonly (keyof Texts['api']['monitor'])[]): Status['text'] {
  const textIn = (locale: Locale) => sentences.map((name) => TEXTS[locale].api.monitor[name]).join(' ');
  return { ru: textIn('ru'), en: textIn('en') };
}
