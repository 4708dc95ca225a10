import { CHECKPOINTS, type Checkpoint } from '../../src/projecting/engine/lane.ts';
import { LOOK_MS } from './health-watcher.ts';
import { liveIn } from './aliases.ts';
import type { LaneId } from '../../src/projecting/engine/lane.ts';
import { namedLanes, require } from './promises.ts';
import { bodyOf } from './simulated-documents.ts';
import { partitionsOf } from './simulated-log.ts';
import type { Actor, Stage } from './stage.ts';

/*
 * A watcher beside the workers: what each of them says of itself is compared with what the world knows. A lane that a
 * worker has, and that does not move although there is something to read, makes it not ready within a bound.
 */

/** 15 s after a lane has come to stand, and the look that was under way then. Simulated milliseconds. */
const NOTICED_MS = 15_000 + LOOK_MS + 1000;

/** What the world knows of the lanes: since when each of them should have moved, and has not. */
export interface Observer {
  /** To be called after every step. Throws `BrokenPromise`. */
  check(stage: Stage): void;
}

export function createObserver(): Observer {
  const stood = new Map<
    string,
    { readonly position: number; readonly held: string; readonly since: number }
  >();
  return {
    check: (stage) => {
      const now = stage.world.now();
      for (const [name, lane] of namedLanes(liveIn(stage.documents))) {
        const found = bodyOf(stage.documents, CHECKPOINTS.name, name) as Checkpoint | undefined;
        if (found?.halted)
          require(false, `${name} has halted, and nobody has replaced the log: ${JSON.stringify(found.halted)}`);
        const position = found?.position ?? 0;
        const latest = partitionsOf(stage.log, lane.topic)[lane.partition]?.length ?? 0;
        const known = stood.get(name);
        // The worker that has it was given it at some time, and answers for it from then on.
        const owners = stage.actors.filter((actor) => isAnswerable(stage, actor, lane));
        const held = owners.map(({ worker }) => worker.name).join();
        const isWell = position >= latest || position !== known?.position;
        if (isWell || held === '' || held !== known.held) stood.set(name, { position, held, since: now });
        else if (known && now - known.since > NOTICED_MS)
          for (const { health, worker } of owners)
            require(!health.ok, `health is honest: ${worker.name} is ready, and ${name} has not moved for ${Math.round(now - known.since)} ms: ${health.detail}`);
      }
    },
  };
}

function isAnswerable(stage: Stage, actor: Actor, { readModel, topic, partition }: LaneId): boolean {
  const { worker, stopping, hasStarted } = actor;
  if (worker.isDead || stopping || !hasStarted || worker.pausedUntil > stage.world.now() - NOTICED_MS)
    return false;
  for (const member of stage.log.members)
    if (member.worker === worker && member.group === readModel && member.isHolding(topic, partition))
      return true;
  return false;
}
