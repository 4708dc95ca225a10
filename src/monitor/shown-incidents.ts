import { shownInstant } from './status-body.ts';
import type { History } from './history.ts';
import type { ShownIncident } from './incident-body.ts';
import type { Incident } from './machine-state.ts';

const SHOWN_INCIDENTS = 10;

/** The last ones of all targets: open ones first, then the newest, then by id. */
export function shownIncidents(histories: readonly History[]): ShownIncident[] {
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
