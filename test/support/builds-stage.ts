import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Log, PartitionEnds } from '../../src/events/log/port.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import { CHECKPOINTS, laneName, NO_COUNTS, type Checkpoint } from '../../src/projecting/engine/lane.ts';
import { type Documents } from '../../src/stores/documents/port.ts';
import {
  ALIASES,
  NOTHING_BESIDE,
  readAlias,
  changeAlias,
  type Alias,
  type LiveAlias,
} from '../../src/stores/aliases.ts';
import { RENDERERS, type ServableVersions } from '../../src/stores/serving-processes.ts';
import { WORKERS, type Worker } from '../../src/stores/workers.ts';
import { openDocuments, putDocument } from './documents.ts';
import { overriding } from './overriding.ts';

/** Builds of `notes` as their lanes, their alias and the words of workers say, with a clock that a sleep moves on. */
export interface BuildsStage {
  readonly documents: Documents;
  log: Log;
  readonly clock: Clock;
  /** What workers and others do at each sleep of whoever is tested. */
  acting: () => Promise<void>;
  readonly alias: () => Promise<LiveAlias>;
  readonly change: (next: Partial<Alias>) => Promise<void>;
  /** Writes a document, whatever stood there. */
  readonly put: (collection: string, id: string, body: object) => Promise<void>;
  readonly lane: (build: string) => Promise<Checkpoint | undefined>;
  readonly putLane: (build: string, lane?: Partial<Checkpoint>) => Promise<void>;
  /** A worker is heard of. */
  readonly say: (owner: string, lanes?: Worker['lanes']) => Promise<void>;
  /** A worker is heard of now and at each sleep, and keeps every pause. */
  readonly obey: (owner: string) => Promise<void>;
  /** A process that serves says what it has answers for. */
  readonly serve: (where: string, renders: ServableVersions) => Promise<void>;
  /** What workers do: each lane of a build that is to be quiet is. */
  readonly keepPause: () => Promise<void>;
  /** Of the one partition of the topic. */
  ends: Omit<PartitionEnds, 'partition'>;
  /** What stands there, under the key `a`. */
  values: readonly string[];
}

export const LIVE = 'notes@1';
export const OTHER = 'notes@1-b2';

export async function openBuildsStage(): Promise<BuildsStage> {
  let time = 1_000_000;
  const clock: Clock = {
    now: () => time,
    monotonic: () => time,
    sleep: async (ms) => {
      time += ms;
      await stage.acting();
      await nextTurn();
    },
  };
  const documents = openDocuments({ clock });
  for (const spec of [ALIASES, CHECKPOINTS, WORKERS, RENDERERS]) await documents.declare(spec);
  const put = (collection: string, id: string, body: object): Promise<void> =>
    putDocument(documents, collection, id, body);
  const alias = async (): Promise<LiveAlias> => {
    const found = await readAlias(documents, 'notes');
    if (!found) throw new Error('there is no alias');
    return found;
  };
  const stage: BuildsStage = {
    documents,
    clock,
    ends: { earliest: 0, latest: 5 },
    values: [],
    log: {
      ends: async () => [{ partition: 0, ...stage.ends }],
      async *read({ topic, partition, from, to }) {
        const records = stage.values.slice(from, to).map((value, at) => ({
          topic,
          partition,
          position: from + at,
          timestamp: 1,
          key: 'a',
          headers: {},
          value: Buffer.from(value),
        }));
        yield { from, next: to, records };
      },
    } as Partial<Log> as Log,
    acting: async () => undefined,
    alias,
    put,
    change: async (next) => {
      await changeAlias(documents, 'notes', (found) => ({ ...(found ?? FIRST), ...next }));
    },
    lane: async (build) => {
      const id = laneName({ readModel: build, ...PLACE });
      return (await documents.get<Checkpoint>(CHECKPOINTS.name, [id])).get(id)?.body;
    },
    putLane: async (build, lane = {}) => {
      const body = { ...BEGUN, readModel: build, ...lane };
      await put(CHECKPOINTS.name, laneName(body), body);
    },
    say: (owner, lanes = {}) =>
      put(WORKERS.name, owner, { at: time, where: `host of ${owner}`, ok: true, detail: '', lanes }),
    obey: async (owner) => {
      await stage.say(owner);
      stage.acting = async () => {
        await stage.say(owner);
        await stage.keepPause();
      };
    },
    serve: (where, renders) => put(RENDERERS.name, where, { at: time, where, renders }),
    keepPause: async () => {
      const { pause } = await alias();
      for (const build of pause?.builds ?? []) {
        const known = await stage.lane(build);
        if (known && pause) await stage.putLane(build, { ...known, quiet: pause.token });
      }
    },
  };
  await stage.change({});
  return stage;
}

/** Whoever asks for the time stands still then, and somebody else's pause begins that ends more than a minute after that time. */
export function standingStill({ documents, clock, change }: BuildsStage, owner: string): Documents {
  let hasStoodStill = false;
  return overriding(documents, {
    now: async () => {
      const now = await documents.now();
      if (hasStoodStill) return now;
      hasStoodStill = true;
      await clock.sleep(55_000);
      await change({ pause: { token: 't', owner, until: clock.now() + 10_000, builds: [LIVE] } });
      return now;
    },
  });
}

const FIRST: Alias = {
  ...NOTHING_BESIDE,
  version: 1,
  collection: LIVE,
  index: null,
  folds: { 1: 'fold' },
  beside: [OTHER],
};
const PLACE = { topic: 'notes', partition: 0 };
const BEGUN = {
  ...PLACE,
  position: 5,
  epoch: 1,
  owner: 'worker',
  counts: NO_COUNTS,
  incarnation: 0,
  last: null,
  halted: null,
  quiet: null,
};
