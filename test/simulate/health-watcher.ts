import { createCompletion } from '../../src/projecting/health/build-completion.ts';
import type { Health } from '../../src/findings/findings-to-readiness.ts';
import { examineLanes } from '../../src/projecting/health/watch-health.ts';
import type { LaneState } from '../../src/projecting/engine/lane-states.ts';
import type { ProjectorParts } from '../../src/projecting/engine/projector.ts';
import { createStallDetector } from '../../src/projecting/health/stall.ts';
import type { Search } from '../../src/stores/search/port.ts';
import type { Worker } from './worker.ts';

/** What `/readyz` of a worker would say, and since when. */
export type Said = Health & { readonly at: number };

export interface Watched {
  readonly worker: Worker;
  readonly projector: { lanes(): readonly LaneState[] };
  readonly stopping: boolean;
  health: Said;
}

/** As often as a real worker looks. Simulated milliseconds. */
export const LOOK_MS = 3000;

/**
 * Looks until the worker stops, or is killed. `watcher` is a process of its own, so that a worker that has stopped does
 * not look busy; `parts` are connected through it. `judged` may leave lanes out: a planted bug.
 */
export async function watchHealth(
  actor: Watched,
  watcher: Worker,
  parts: ProjectorParts,
  judged: (lanes: readonly LaneState[]) => readonly LaneState[],
  search: Pick<Search, 'indexes'>,
): Promise<void> {
  const detector = createStallDetector();
  using completion = createCompletion({ ...parts, search });
  while (!actor.stopping && !actor.worker.isDead) {
    const at = (): number => watcher.world.now();
    try {
      const { health, all } = await examineLanes(judged(actor.projector.lanes()), detector, parts);
      completion.take(all);
      actor.health = { ...health, at: at() };
    } catch (thrown) {
      actor.health = { ok: false, detail: String(thrown), at: at() };
    }
    await watcher.clock.sleep(LOOK_MS);
  }
}
