import { duration } from '../../texts/english-amounts.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Registry } from '../../platform/metrics-registry.ts';
import { once } from '../../platform/once.ts';
import { LAGS, noteLag } from '../../stores/lag-notes.ts';
import { createHeart } from '../../stores/heartbeats.ts';
import { WORKERS, type Worker } from '../../stores/workers.ts';
import { readOwners, workerLanes, type Owners } from './lane-owners.ts';
import { problem } from '../../findings/finding.ts';
import { healthOf, type Health } from '../../findings/findings-to-readiness.ts';
import { judge, type SeenLane } from './judge-lanes.ts';
import { laneName } from '../engine/lane.ts';
import type { LaneState } from '../engine/lane-states.ts';
import { collectionOf } from '../engine/projection.ts';
import type { Projector } from '../engine/projector.ts';
import { createLaneMetrics } from './lane-metrics.ts';
import { lagAge, readProgress, type LaneProgress, type ProgressParts } from '../inspect/lane-progress.ts';
import { createStallDetector, STALL_MS, type StallDetector, type StallState } from './stall.ts';

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

/** Often enough that a stall shows within 15 s of the moment from which it counts. */
const LOOK_MS = 3000;
const AWAITED_MS = 1000;

/**
 * Looks at the lanes that are assigned to one projector, every few seconds: is one halted, not claimed, does one stand
 * still while its log moves on? A projector reports the lanes that it was given, also one that it cannot claim, and those
 * that no projector has, where it might be given them. What it sees also goes to the processes that serve
 * (src/stores/lag-notes.ts) and to operators (src/stores/workers.ts).
 */
export function watchHealth(parts: HealthParts, projector: Pick<Projector, 'owner' | 'lanes'>) {
  const { clock, documents, logger, where, isLive = () => true } = parts;
  const detector = createStallDetector();
  const metrics = createLaneMetrics(parts);
  const stopping = new AbortController();
  const { signal } = stopping;
  const heart = createHeart<Worker>(parts, WORKERS, projector.owner);
  let health: Health = { ok: false, detail: 'starting' };
  let standing: ReadonlyMap<string, StallState> = new Map();
  let lookedAt = clock.monotonic();
  const declared = once(() => documents.declare(LAGS));
  let reporting: Promise<void> | null = null;

  const look = async (): Promise<Health> => {
    const assigned = projector.lanes();
    try {
      const now = await documents.now();
      const owners = await readOwners(documents, now);
      const found = await examineLanes(assigned, detector, parts, { owners, isLive, now, where });
      const { all, seen } = found;
      standing = found.standing;
      health = unlessMute(found.health, now);
      parts.onProgress?.(all);
      // Not waited for: what fails is made good by the next look.
      reporting ??= declared()
        .then(() => reportLags(parts, all, now, signal))
        .catch((thrown: unknown) => {
          if (!signal.aborted) logger.warn({ reason: messageOf(thrown) }, 'the lag could not be reported');
        })
        .finally(() => (reporting = null));
      await metrics.show({ own: seen, all, owners, now }, signal);
    } catch (thrown) {
      health = unreadable(`progress cannot be read: ${messageOf(thrown)}`);
    }
    lookedAt = clock.monotonic();
    metrics.ready(health.ok);
    void heart.tryBeat(workerBody(parts, health, assigned, standing));
    return health;
  };

  /** Lanes that have nothing to read write nothing: that the store takes no writes shows in this worker's words alone. */
  function unlessMute(judged: Health, now: number): Health {
    const trouble = heart.trouble();
    const ms = trouble === null ? 0 : clock.monotonic() - trouble.since;
    if (trouble === null || ms < STALL_MS) return judged;
    const reason = `it takes no writes: ${trouble.reason}`;
    const mute = problem('documents', now - ms, { code: 'store_fails', reason });
    return healthOf([...(judged.findings ?? []), mute], '');
  }

  /** One look at a time: a slow store must not be asked again before it has answered. */
  const lookOnAndOn = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(parts.isAwaited?.() ? AWAITED_MS : LOOK_MS, signal);
      if (signal.aborted) return;
      await look();
    }
  };
  void lookOnAndOn();

  return {
    latest: (): Health => {
      // A look that does not come back tells nothing, and the one before it is no longer true.
      const silentFor = clock.monotonic() - lookedAt;
      if (silentFor < LOOK_MS + STALL_MS) return health;
      return unreadable(`progress could not be read for ${duration(silentFor)}`);
    },
    /** Looks now, instead of at the next interval. */
    look,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      stopping.abort();
      await heart[Symbol.asyncDispose]();
    },
  };
}

/** The log, or the documents. */
function unreadable(reason: string): Health {
  return healthOf([problem('stores', null, { code: 'store_fails', reason })], '');
}

/** What a worker says of itself in its heartbeat. */
export function workerBody(
  { clock, where }: Pick<HealthParts, 'clock' | 'where'>,
  { ok, detail }: Pick<Health, 'ok' | 'detail'>,
  lanes: readonly LaneState[],
  standing: ReadonlyMap<string, StallState> = new Map(),
): (at: number) => Omit<Worker, 'at'> {
  return (now) => ({
    where,
    ok,
    detail,
    lanes: workerLanes(lanes, standing, { now, monotonic: clock.monotonic() }),
  });
}

interface Surroundings {
  /** null: lanes that nobody has are not looked for. */
  readonly owners: Owners | null;
  readonly isLive: (readModel: string) => boolean;
  /** The time of the documents store. */
  readonly now: number;
  readonly where: string;
}

/** One look: how far the lanes are, those that are assigned among them, and what that means. */
export async function examineLanes(
  assigned: readonly LaneState[],
  detector: StallDetector,
  parts: ProgressParts & { readonly clock: Clock },
  { owners, isLive, now, where }: Surroundings = { owners: null, isLive: () => true, now: 0, where: '' },
) {
  const all = await readProgress(parts);
  const byName = new Map(all.map((lane) => [laneName(lane), lane]));
  const progressOf = ({ lane }: LaneState): LaneProgress | null => byName.get(laneName(lane)) ?? null;
  const served = all.filter(({ readModel }) => isLive(readModel));
  const abandoned = owners === null ? [] : abandonedOf(assigned, served, owners);
  const monotonic = parts.clock.monotonic();
  const watched = assigned.map((one) => ({
    ...observed(laneName(one.lane), one.state === 'running', progressOf(one), one.since),
    isUnseen: !isLive(one.lane.readModel),
  }));
  const standing = detector.observe([...watched, ...abandoned], monotonic);
  const lanes = workerLanes(assigned, standing, { now, monotonic });
  const seen = assigned.flatMap((one): readonly SeenLane[] => {
    const told = lanes[laneName(one.lane)];
    return told ? [{ ...told, where, lane: one.lane, progress: progressOf(one) }] : [];
  });
  const judged = seen.filter(({ lane }) => isLive(lane.readModel));
  return { all, seen, standing, health: judge(judged, now, abandoned, standing) };
}

function observed(name: string, isRunning: boolean, progress: LaneProgress | null, since?: number) {
  if (progress === null) return { name, isRunning, since, position: null, left: 0 };
  const { position, readable, earliest } = progress;
  return { name, isRunning, since, position, left: Math.max(0, readable - (position ?? earliest)) };
}

/** Lanes that no live projector has, of read models of which this one has none: a group may have lost it. */
function abandonedOf(own: readonly LaneState[], all: readonly LaneProgress[], owners: Owners) {
  const mine = new Set(own.map(({ lane }) => lane.readModel));
  return all
    .filter((lane) => !mine.has(lane.readModel) && owners.of(lane) === null)
    .map((lane) => observed(laneName(lane), true, lane));
}

/** A little less than the time between two looks, so that each look of a lone projector is reported, in milliseconds. */
const REPORT_MS = 2500;

/** Tells the processes that serve how far each read model is behind the log: all its lanes, also those of other projectors. */
async function reportLags(
  { log, documents, projections }: ProgressParts,
  lanes: readonly LaneProgress[],
  now: number,
  signal: AbortSignal,
): Promise<void> {
  for (const build of projections.map(collectionOf)) {
    const measure = async (): Promise<number> => {
      const ages: number[] = [];
      for (const lane of lanes.filter(({ readModel }) => readModel === build))
        // What a halted lane has not read may be gone from the log: nobody knows since when it is behind.
        ages.push((await lagAge(log, lane, now, signal)) ?? (lane.halted ? now : 0));
      return Math.max(0, ...ages);
    };
    await noteLag(documents, build, { at: now, notWithinMs: REPORT_MS, measure });
  }
}
