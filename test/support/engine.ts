import { join } from 'node:path';

import type { Log, Place } from '../../src/events/log/port.ts';
import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createMetrics } from '../../src/platform/metrics-registry.ts';
import { waitFor, type WaitOutcome } from '../../src/projecting/inspect/lane-progress.ts';
import { CHECKPOINTS, laneName, type Checkpoint } from '../../src/projecting/engine/lane.ts';
import { PARKED, type ParkedEvent } from '../../src/projecting/engine/parking.ts';
import { createProjectorMetrics } from '../../src/projecting/engine/projector-metrics.ts';
import {
  createProjector,
  type Projector,
  type ProjectorParts,
} from '../../src/projecting/engine/projector.ts';
import { redrive, type ParkedOutcome } from '../../src/projecting/engine/redrive.ts';
import { createRetry } from '../../src/projecting/engine/retry.ts';
import type { ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import type { Documents, Stored } from '../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { cutLog } from './cut-log.ts';
import { decodeNote, NOTES, type NoteRegisters, type NoteView } from './fake-projection.ts';
import { storedIn } from './documents.ts';
import { temporaryFolder } from './folder.ts';
import { OPEN_GATE } from './open-gate.ts';

/** Subject, revision, text; `raw` text is not a note at all. */
type Note = readonly [string, number, string | null] | { readonly raw: string };

/** The engine on real embedded stores in a folder of its own, with the projection of `fake-projection.ts`. */
export interface Engine extends AsyncDisposable {
  readonly log: Log;
  /** Puts the records of the first partition below a position out of reach. */
  cut(before: number): void;
  readonly documents: Documents;
  readonly parts: ProjectorParts;
  /** Starts one more projector on the same stores. */
  start(overrides?: Partial<ProjectorParts>): Promise<Projector>;
  publish(...notes: readonly Note[]): Promise<readonly Place[]>;
  /** The same, and a projector consumes all that is in the log then, and ends. */
  consume(...notes: readonly Note[]): Promise<readonly Place[]>;
  /** Waits until the projectors have consumed everything that is in the log now. */
  settled(): Promise<WaitOutcome>;
  notes(): Promise<Readonly<Record<string, string | null>>>;
  /** Of the first partition. */
  readonly checkpoint: () => Promise<Checkpoint | undefined>;
  readonly parked: () => Promise<readonly Stored<ParkedEvent>[]>;
  /** Folds a parked event again, as an operator has it done. */
  redrive(parked: Stored<ParkedEvent>, overrides?: Partial<ProjectorParts>): Promise<ParkedOutcome>;
}

const LANE = 'notes@1/notes/0';

/** Partitions of the topic; one, where a test needs to know which partition a record is in. */
export async function openEngine(partitions = 3): Promise<Engine> {
  const folder = temporaryFolder();
  const log = openSqliteLog(join(folder, 'log.db'));
  const documents = openSqliteDocuments(join(folder, 'documents.db'));
  await log.ensureTopics([
    { name: 'notes', partitions, retentionMs: null },
    { name: 'rejected', partitions: 1, retentionMs: null },
  ]);
  const parts: ProjectorParts = {
    log,
    documents,
    projections: [NOTES],
    decode: decodeNote,
    clock: systemClock,
    logger: createLogger('silent', 'test'),
    metrics: createProjectorMetrics(createMetrics()),
    rejectedTopic: 'rejected',
    topicName: (topic) => topic,
    gate: OPEN_GATE,
    batchRecords: 10,
    readingPauseMs: 5,
  };
  const projectors: Projector[] = [];
  const engine: Engine = {
    log,
    cut: (before) => cutLog(join(folder, 'log.db'), 'notes', 0, before),
    documents,
    parts,
    start: async (overrides) => {
      const projector = createProjector({
        ...parts,
        metrics: createProjectorMetrics(createMetrics()),
        ...overrides,
      });
      projectors.push(projector);
      await projector.start();
      return projector;
    },
    publish: (...notes) =>
      log.append(
        notes.map((note) => {
          const [key, value] = 'raw' in note ? ['raw', note.raw] : [note[0], JSON.stringify(note.slice(1))];
          return { topic: 'notes', key, value: Buffer.from(value), headers: {} };
        }),
      ),
    consume: async (...notes) => {
      await using _projector = await engine.start();
      const places = await engine.publish(...notes);
      await engine.settled();
      return places;
    },
    settled: async () => {
      const ends = await log.ends('notes');
      const places = ends.map(({ partition, latest }) => ({
        topic: 'notes',
        partition,
        position: latest - 1,
      }));
      return waitFor(parts, places, { clock: systemClock, signal: AbortSignal.timeout(120_000) });
    },
    notes: async () => {
      const notes = await storedIn<ReadModelDocument<NoteRegisters, NoteView>>(documents, 'notes@1');
      return Object.fromEntries(notes.map(({ id, body }) => [id, body.view.text]));
    },
    checkpoint: async () => (await documents.get<Checkpoint>(CHECKPOINTS.name, [LANE])).get(LANE)?.body,
    parked: () => storedIn<ParkedEvent>(documents, PARKED.name),
    redrive: async (event, overrides) => {
      const own = { ...parts, ...overrides, signal: new AbortController().signal };
      return redrive(event, { ...own, retry: createRetry(own), pause: async () => undefined, now: 0 });
    },
    [Symbol.asyncDispose]: async () => {
      for (const projector of projectors) await projector[Symbol.asyncDispose]();
      await documents[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
    },
  };
  return engine;
}

/** Why lanes of a projector have halted, by name. */
export function haltsOf(projector: Pick<Projector, 'lanes'>): ReadonlyMap<string, string | null> {
  const halted = projector.lanes().filter(({ state }) => state === 'halted');
  return new Map(halted.map(({ lane, reason }) => [laneName(lane), reason]));
}
