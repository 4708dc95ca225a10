import { historyOf } from '../../monitor/history.ts';
import { createMonitorDocuments } from '../../monitor/reading/documents.ts';
import { createReadModel } from '../../monitor/reading/snapshot.ts';
import { momentOf } from '../../monitor/moment.ts';
import { shownIncident } from '../../monitor/status.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { column, rowOf, type Sources, type SqlView } from '../sql-view.ts';

/** All incidents that the probes of a build tell of, by the functions that make the state: none of them is stored. */

const COLUMNS = {
  id: column('text', 'As in the state: the target and when it was detected.'),
  target: column('text', 'The target.', 'components.0'),
  state: column('text', '`open` or `resolved`.'),
  severity: column('text', 'The worst state reached: `degraded` or `down`.'),
  cause: column('text', 'The most frequent cause of the failed checks that opened it.'),
  started_at: column('time', 'The first check that was not ok.'),
  detected_at: column('time', 'When the state changed.'),
  resolved_at: column('time', 'The first good check of the recovery; empty while it is open.'),
  duration_s: column('integer', 'From the start to the resolution; empty while it is open.'),
};

const toRow = rowOf(COLUMNS);

export const incidents: SqlView = {
  name: 'incidents',
  readModel: 'monitor',
  meaning:
    'A row for each incident of a target that is defined, in the 100 days before its newest probe: what the state shows the newest ten of.',
  columns: COLUMNS,
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
