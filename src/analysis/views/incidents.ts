import { historyOf } from '../../monitor/target-history.ts';
import { createMonitorDocuments } from '../../monitor/reading/documents.ts';
import { createReadModel } from '../../monitor/reading/poll-monitor.ts';
import { momentOf } from '../../monitor/reports-complete-until.ts';
import { shownIncident } from '../../monitor/status.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { rowOf } from '../column.ts';
import { definitionOf, type Sources, type SqlView } from '../sql-view.ts';

/** All incidents that the probes of a build tell of, by the functions that make the state: none of them is stored. */

const DEFINITION = definitionOf('incidents');
const toRow = rowOf(DEFINITION.columns);

export const incidents: SqlView = {
  ...DEFINITION,
  // How many there are is not known before all probes are read.
  size: async () => 0,
  batches: readIncidents,
};

/** Computes everything anew: what an API keeps of older hours is a cache of its own. */
const NOTHING_KEPT = { read: async () => new Map<never, never>(), save: () => undefined };

async function* readIncidents({ documents, policy }: Sources, collection: string) {
  const now = await documents.now();
  const poll = createReadModel({
    documents: createMonitorDocuments(documents, collection),
    kept: NOTHING_KEPT,
    policy,
    clock: systemClock,
  });
  const moment = momentOf(now, policy, { lagMs: 0, readAt: now, storesDown: false });
  const all = (await poll(now)).flatMap((watched) =>
    historyOf(watched, moment, policy).incidents.map((one) => shownIncident(watched.target.target, one)),
  );
  all.sort((a, b) => (a.detected_at < b.detected_at ? -1 : 1));
  yield { read: all.length, rows: all.map(toRow) };
}
