import { monitor } from '../../projections/monitor/index.ts';
import { createDecoder } from '../../src/events/decode.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import type { MonitorEvent } from '../../src/events/monitor.ts';
import { structuredRecord } from '../../src/events/structured-record.ts';
import { EVENT_TYPES, TOPICS } from '../../src/events/types.ts';
import { DEFAULT_POLICY } from '../../src/monitor/policy.ts';
import { SUMMARIES } from '../../src/monitor/reading/kept-summaries.ts';
import { createPoll } from '../../src/monitor/reading/snapshot.ts';
import { createStatusReader, type StatusReader } from '../../src/monitor/reading/status.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createProjectorMetrics } from '../../src/projecting/engine/projector-metrics.ts';
import { Projector } from '../../src/projecting/engine/projector.ts';
import { waitFor } from '../../src/projecting/inspect/progress.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { LAGS, noteLags } from '../../src/stores/lag.ts';
import { claimVersion } from '../../src/stores/folds.ts';
import { openLive } from '../../src/stores/live.ts';
import { probed, targetDefined, targetRemoved } from './events.ts';
import { temporaryPath } from './temporary-path.ts';

/** The whole way of the monitor's events: a real log, a real projector, real documents, and the reader of the status. */
export interface StatusStage extends AsyncDisposable {
  /** Appends events to the log and waits until they are folded. */
  publish(events: readonly CloudEvent[]): Promise<void>;
  /** The status as of this moment, from a reader that may have read before, or from one that has just started. */
  statusAt(now: number, reader?: StatusReader): Promise<string>;
  start(): StatusReader;
}

/** Few batches, so that an hour's document is not written hundreds of times. */
const BATCH_RECORDS = 10_000;

export async function openStatusStage(): Promise<StatusStage> {
  const opened = new AsyncDisposableStack();
  const files = [temporaryPath('log.db'), temporaryPath('documents.db')] as const;
  for (const { remove } of files) opened.defer(remove);
  // The moments that are asked for go back and forth; from one to the next, time passes all the same.
  const clock = { ...systemClock, time: 0, passed: 0, now: () => clock.time, monotonic: () => clock.passed };
  const log = opened.use(openSqliteLog(files[0].path));
  const documents = opened.use(openSqliteDocuments(files[1].path, { clock }));
  const collection = `${monitor.name}@${monitor.version}`;
  for (const needed of [LAGS, SUMMARIES]) await documents.declare(needed);
  await claimVersion(documents, {
    name: monitor.name,
    version: monitor.version,
    collection,
    fold: 'test',
  });
  await log.ensureTopics(TOPICS);
  const logger = createLogger('silent', 'test');
  const parts = {
    log,
    documents,
    projections: [monitor],
    decode: createDecoder(EVENT_TYPES),
    clock: systemClock,
    logger,
    topicName: (topic: string) => topic,
    rejectedTopic: 'catalog.rejected',
    metrics: createProjectorMetrics(createMetrics()),
    batchRecords: BATCH_RECORDS,
  };
  const projector = new Projector(parts);
  opened.use(projector);
  await projector.start();
  const first = start();

  function start(): StatusReader {
    const options = { policy: DEFAULT_POLICY, clock, storeLimitMs: 60_000, logger };
    const poll = createPoll({ ...options, documents, live: openLive(documents) });
    return createStatusReader({ ...options, poll, confirmMs: 0 });
  }

  return {
    start,
    async publish(events) {
      const places = await log.append(events.map(structuredRecord));
      const waited = await waitFor(parts, places, {
        clock: systemClock,
        signal: AbortSignal.timeout(50_000),
      });
      if (waited !== 'reached') throw new Error(`The projector ${waited}`);
    },
    async statusAt(now, reader = first) {
      clock.time = now;
      clock.passed += 60_000;
      await noteLags(documents, [collection], { at: now, notWithinMs: 0, measure: async () => 0 });
      return JSON.stringify((await reader.current()).body);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The event as upstream would write it. */
export function asUpstream({ type, subject, time, data }: MonitorEvent): CloudEvent {
  if (type === 'monitor.target.defined') return targetDefined({ subject, ...data });
  if (type === 'monitor.target.removed') return targetRemoved({ subject, time, ...data });
  return probed({ subject, ...data });
}
