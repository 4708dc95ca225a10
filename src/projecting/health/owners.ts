import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { isAlive, openHeartbeat, sweepHeartbeats } from '../../stores/heartbeats.ts';
import { readWorkers, WORKERS, type Worker, type WorkerLane } from '../../stores/workers.ts';
import type { Health } from './judgement.ts';
import { laneName, type LaneId } from '../engine/lane.ts';
import type { LaneState } from '../engine/lane-states.ts';

/** Tells operators, through the documents, that this worker is there and how its lanes fare (src/stores/workers.ts). */
interface WorkerHeartbeat extends AsyncDisposable {
  /** Returns at once and never throws: what fails is logged, and made good by the next one. */
  beat(health: Health, lanes: readonly LaneState[]): void;
  /** Since when, by the monotonic clock, every word has failed, and why the last one did; null where it was written. */
  trouble(): { readonly since: number; readonly reason: string } | null;
}

interface HeartbeatParts {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly where: string;
}

export function createHeartbeat(
  { documents, clock, logger, where }: HeartbeatParts,
  name: string,
): WorkerHeartbeat {
  const heartbeat = openHeartbeat<Worker>(documents, WORKERS, name);
  let isPrepared = false;
  let isOver = false;
  let trouble: ReturnType<WorkerHeartbeat['trouble']> = null;
  let beating: Promise<void> | null = null;

  return {
    beat(health, lanes) {
      if (isOver) return;
      beating ??= speak(health, lanes).finally(() => (beating = null));
    },
    trouble: () => trouble,
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await beating;
      try {
        if (isPrepared) await heartbeat.leave();
      } catch (thrown) {
        logger.warn({ reason: messageOf(thrown) }, 'this worker could not say that it leaves');
      }
    },
  };

  async function speak({ ok, detail }: Health, lanes: readonly LaneState[]): Promise<void> {
    const began = clock.monotonic();
    try {
      if (!isPrepared) {
        await documents.declare(WORKERS);
        await sweepHeartbeats(documents, WORKERS);
        isPrepared = true;
      }
      const at = await documents.now();
      const ahead = at - clock.monotonic();
      const told = lanes.map(({ lane, state, since, reason }): [string, WorkerLane] => [
        laneName(lane),
        { state, since: Math.round(since + ahead), reason },
      ]);
      await heartbeat.beat({ at, where, ok, detail, lanes: Object.fromEntries(told) });
      trouble = null;
    } catch (thrown) {
      const reason = messageOf(thrown);
      if (!trouble) logger.warn({ reason }, 'this worker cannot say how it fares');
      trouble = { since: trouble?.since ?? began, reason };
    }
  }
}

/** The workers of each lane, as the workers themselves say. */
export interface Owners {
  /** Workers that were heard of lately, by their names. */
  readonly alive: ReadonlyMap<string, Worker>;
  /** What a live worker says of a lane that was assigned to it; null where none speaks of it. */
  of(lane: LaneId): LiveOwner | null;
}

export interface LiveOwner extends WorkerLane {
  readonly where: string;
}

/** `now` is the time of the documents store. */
export async function readOwners(documents: Pick<Documents, 'scan'>, now: number): Promise<Owners> {
  const alive = new Map([...(await readWorkers(documents))].filter(([, worker]) => isAlive(worker, now)));
  return { alive, of: (lane) => ownerOf(alive, laneName(lane)) };
}

/** For a moment two may speak of one lane: the one that runs it has it. */
function ownerOf(workers: ReadonlyMap<string, Worker>, name: string): LiveOwner | null {
  let found: LiveOwner | null = null;
  for (const { where, lanes } of workers.values()) {
    const lane = lanes[name];
    if (lane && (found === null || lane.state === 'running')) found = { ...lane, where };
  }
  return found;
}
