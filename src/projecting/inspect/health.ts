import type { Clock } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Registry } from '../../platform/metrics.ts';
import { createBuildMetrics } from './build-metrics.ts';
import { createHeartbeat, readOwners, type Owners } from './heartbeat.ts';
import { judge, type AssignedLane, type Health, type SeenLane } from './judgement.ts';
import { laneName } from '../engine/lane.ts';
import { createLaneMetrics } from './lane-metrics.ts';
import { createLagReport } from './lag-report.ts';
import { readProgress, type LaneProgress, type ProgressParts } from './progress.ts';
import { createStallDetector, STALL_MS, type StallDetector, type Standing, type Watched } from './stall.ts';

export type { Health } from './judgement.ts';

interface HealthWatch extends AsyncDisposable {
  latest(): Health;
  /** Looks now, instead of at the next interval. */
  look(): Promise<Health>;
}

export interface HealthParts extends ProgressParts {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly logger: Logger;
  /** Where this worker runs, for people: `host:pid`. */
  readonly where: string;
  /** Told of all lanes at each look. */
  readonly onProgress?: (lanes: readonly LaneProgress[]) => void;
  /** Whether readers see a build: what only others wait for makes nobody unready. Default: all are live. */
  readonly isLive?: (readModel: string) => boolean;
  /** Whether somebody waits for what the next look shows: then it comes within a second. */
  readonly isAwaited?: () => boolean;
}

/** What is watched: its name in checkpoints, and the lanes that the log has assigned to it. */
interface WatchedProjector {
  readonly owner: string;
  lanes(): readonly AssignedLane[];
}

/** Often enough that a stall shows within 15 s of the moment from which it counts. */
const LOOK_MS = 3000;
/** How often it is seen that a lane has come, gone, or changed its state: then it looks at once. */
const GLANCE_MS = 1000;

/**
 * Looks at the lanes that are assigned to one projector, every few seconds: is one halted, not claimed, does one stand
 * still while its log moves on? A projector reports the lanes that it was given, also one that it cannot claim, and those
 * that no projector has, where it might be given them. What it sees also goes to the processes that serve
 * (lag-report.ts) and to operators (heartbeat.ts).
 */
export function watchHealth(parts: HealthParts, projector: WatchedProjector): HealthWatch {
  const { clock, isLive = () => true } = parts;
  const detector = createStallDetector();
  const abandonedDetector = createStallDetector();
  const metrics = createLaneMetrics(parts);
  const builds = createBuildMetrics(parts);
  const stopping = new AbortController();
  const report = createLagReport(parts);
  const heartbeat = createHeartbeat(parts, projector.owner);
  let health: Health = { ok: false, detail: 'starting' };
  let lookedAt = clock.monotonic();

  const look = async (): Promise<Health> => {
    const began = clock.monotonic();
    const assigned = projector.lanes();
    try {
      const { all, seen, standing } = await lookAt(assigned, detector, parts);
      parts.onProgress?.(all);
      const now = await parts.documents.now();
      report.take(all, { now, at: now - (clock.monotonic() - began) });
      const owners = await readOwners(parts.documents, now);
      const served = all.filter(({ readModel }) => isLive(readModel));
      const abandoned = abandonedDetector.observe(abandonedOf(seen, served, owners), clock.monotonic());
      const judged = seen.filter(({ lane }) => isLive(lane.readModel));
      health = unlessMute(judge(judged, standing, abandoned));
      await metrics.show({ own: seen, all, owners, now }, stopping.signal);
      await builds.show(all, isLive);
    } catch (thrown) {
      health = { ok: false, detail: `progress cannot be read: ${messageOf(thrown)}` };
    }
    lookedAt = clock.monotonic();
    metrics.ready(health.ok);
    heartbeat.beat(health, assigned);
    return health;
  };

  /** Lanes that have nothing to read write nothing: that the store takes no writes shows in this worker's words alone. */
  function unlessMute(judged: Health): Health {
    const trouble = heartbeat.trouble();
    const ms = trouble === null ? 0 : clock.monotonic() - trouble.since;
    if (trouble === null || ms < STALL_MS) return judged;
    const mute = `the documents store takes no writes: ${trouble.reason} (for ${Math.round(ms / 1000)} s)`;
    return { ok: false, detail: judged.ok ? mute : `${judged.detail}; ${mute}` };
  }

  // One look at a time: a slow store must not be asked again before it has answered.
  let looking = false;
  let shown = '';
  const glance = (): void => {
    const now = statesOf(projector.lanes());
    // A glance may come a little early.
    const isDue = clock.monotonic() - lookedAt >= LOOK_MS - GLANCE_MS / 2;
    if (looking || !(isDue || now !== shown || parts.isAwaited?.())) return;
    looking = true;
    shown = now;
    void look().finally(() => (looking = false));
  };
  const glanceOnAndOn = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(GLANCE_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      glance();
    }
  };
  const glances = glanceOnAndOn();

  return {
    latest: () => {
      // A look that does not come back tells nothing, and the one before it is no longer true.
      const silentFor = clock.monotonic() - lookedAt;
      if (silentFor < LOOK_MS + STALL_MS) return health;
      return { ok: false, detail: `progress could not be read for ${Math.round(silentFor / 1000)} s` };
    },
    look,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await glances;
      report[Symbol.dispose]();
      await heartbeat[Symbol.asyncDispose]();
    },
  };
}

/** One look: how far the lanes are, those that are assigned among them, and what that means. */
export async function lookAt(
  assigned: readonly AssignedLane[],
  detector: StallDetector,
  parts: ProgressParts & { readonly clock: Clock },
): Promise<{
  readonly all: readonly LaneProgress[];
  readonly seen: readonly SeenLane[];
  readonly standing: ReadonlyMap<string, Standing>;
  readonly health: Health;
}> {
  const all = await readProgress(parts);
  const seen = seenLanes(assigned, all);
  const standing = detector.observe(seen.map(watchedOf), parts.clock.monotonic());
  return { all, seen, standing, health: judge(seen, standing) };
}

function seenLanes(assigned: readonly AssignedLane[], all: readonly LaneProgress[]): readonly SeenLane[] {
  const byName = new Map(all.map((lane) => [laneName(lane), lane]));
  return assigned.map((lane) => ({ ...lane, progress: byName.get(laneName(lane.lane)) ?? null }));
}

function watchedOf({ lane, state, since, progress }: SeenLane): Watched {
  const position = progress?.position ?? null;
  const left = progress === null ? 0 : readableIn(progress);
  return { name: laneName(lane), isRunning: state === 'running', since, position, left };
}

/** Lanes that no live projector has, of read models of which this one has none: a group may have lost it. */
function abandonedOf(
  own: readonly SeenLane[],
  all: readonly LaneProgress[],
  owners: Owners,
): readonly Watched[] {
  const mine = new Set(own.map(({ lane }) => lane.readModel));
  return all
    .filter((lane) => !mine.has(lane.readModel) && owners.of(lane) === null)
    .map((lane) => ({
      name: laneName(lane),
      isRunning: true,
      position: lane.position,
      left: readableIn(lane),
    }));
}

function readableIn({ readable, position, earliest }: LaneProgress): number {
  return Math.max(0, readable - (position ?? earliest));
}

function statesOf(lanes: readonly AssignedLane[]): string {
  return lanes.map(({ lane, state }) => `${laneName(lane)} ${state}`).join();
}
