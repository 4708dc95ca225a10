import { setTimeout } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

import { compose } from '../../compose/parts.ts';
import type { Config } from '../../config.ts';
import { lowerThreadPriority } from '../../platform/threads/priority.ts';
import { createMetrics } from '../../platform/metrics-registry.ts';
import { offer } from '../../platform/threads/offer-functions.ts';
import { ACTS, type Act } from '../act-log.ts';
import { readOverview, readParked, type Overview, type ParkedWhole } from '../overview.ts';
import { perform } from '../perform-act.ts';
import type { Role } from '../process-role.ts';
import { readPreview, stillHolds, type Preview } from '../act-preview.ts';

export interface OperatorInput {
  readonly config: Config;
  readonly role: Role;
}

/** What the process may ask of its operator's thread. */
export interface OperatorFunctions {
  overview(): Promise<Overview>;
  parked(id: string): Promise<ParkedWhole | null>;
  /** What an act would do now; null where there is nothing to be done. */
  preview(act: Act): Promise<Preview | null>;
  /**
   * `shown`: what was confirmed; null of an act that needs no confirmation. `stale`: it is no longer so, and nothing was done.
   * `busy`: another act is under way here. `begun`: it goes on. `ended`: it was quick, and its note says what came of it.
   */
  act(act: Act, shown: Preview | null): Promise<ActStart>;
}

type ActStart = 'begun' | 'ended' | 'busy' | 'stale' | 'not_here';

/** An act that takes no longer is waited for, in milliseconds, so that the page shows what came of it at once. */
const QUICK_MS = 1500;

// Readers come first, and so do those who project.
lowerThreadPriority(2);
await main(workerData as OperatorInput);

/** Looks and acts in a thread of its own: counting documents and folding the log must not delay a request. */
async function main({ config, role }: OperatorInput): Promise<void> {
  const parts = await compose(
    config,
    'operator',
    { registry: createMetrics('operator_') },
    role === 'project' ? 'change' : 'read',
  );
  const stopping = new AbortController();
  let currentAct: Promise<unknown> | null = null;
  let overview: Promise<Overview> | null = null;
  if (role === 'project') await parts.documents.declare(ACTS);
  const functions: OperatorFunctions = {
    overview: () => {
      // Readers who look at once look at the same: it is made of many reads.
      overview ??= readOverview(parts, stopping.signal, role).finally(() => {
        overview = null;
      });
      return overview;
    },
    parked: (id) => readParked(parts, id),
    preview: (act) => readPreview(parts, act),
    async act(act, shown) {
      if (role !== 'project') return 'not_here';
      if (currentAct) return 'busy';
      const end = () => (currentAct = null);
      if (shown !== null) {
        // Nobody else acts here between this look and the act.
        const looked = readPreview(parts, act).then((now) => stillHolds(shown, now));
        currentAct = looked;
        const holds = await looked.finally(end);
        if (!holds) return 'stale';
      }
      const most = shown?.kind === 'redrive_all' ? shown.events : Infinity;
      const work = perform(parts, stopping.signal, act, most).finally(end);
      currentAct = work;
      // Where it fails, the store has failed: its log says so, and the note is heard of no more.
      work.catch((err: unknown) => parts.logger.error({ err }, 'an act of the operator could not be noted'));
      const late = setTimeout<ActStart>(QUICK_MS, 'begun', { ref: false });
      return await Promise.race([work.then((): ActStart => 'ended'), late]);
    },
  };
  offer(functions, async () => {
    stopping.abort();
    await currentAct?.catch(() => undefined);
    await parts[Symbol.asyncDispose]();
  });
}
