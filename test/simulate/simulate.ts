import { heal } from './heal.ts';
import { isBuild, liveIn, putFirstAlias } from './aliases.ts';
import { checkBuilds } from './build-promises.ts';
import { checkWrite, PARTITIONS } from './promises.ts';
import { checkConfirmed, checkExcluded, noteAnnounced } from './search-promises.ts';
import { createDocuments, type SharedDocuments } from './simulated-documents.ts';
import { outage } from './outage.ts';
import { createLog } from './simulated-log.ts';
import { createSearch } from './simulated-search.ts';
import { type Planted, type Stage } from './stage.ts';
import { storm } from './storm.ts';
import { switching } from './switching.ts';
import { createWorld } from './world.ts';

/*
 * A run: some workers on shared stores while everything fails (the storm), then nothing fails any more (the heal), and
 * everything must come right by itself. After the model of TigerBeetle's VOPR.
 */

export interface Run {
  /** The digest of everything that happened. */
  readonly trace: string;
  /** How often each fault and each act came. */
  readonly happened: ReadonlyMap<string, number>;
}

/** Runs one seed. Throws `BrokenPromise` where a promise does not hold. */
export async function simulate(seed: number, planted: Planted = {}): Promise<Run> {
  const world = createWorld(seed);
  const log = createLog({ notes: PARTITIONS.length, marks: PARTITIONS.length, rejected: 1 });
  const broken: Error[] = [];
  const watch = (check: () => void): void => {
    try {
      check();
    } catch (thrown) {
      broken.push(thrown as Error);
    }
  };
  const search = createSearch((index, id) => watch(() => checkExcluded(documents, search, index, id)));
  const documents: SharedDocuments = createDocuments((change) =>
    watch(() => {
      const { collection, id, before, after } = change;
      checkWrite(log, documents, change);
      checkBuilds(stage, change);
      noteAnnounced(search, change);
      if (!isBuild(collection)) return;
      checkExcluded(documents, search, collection, id);
      checkConfirmed(id, before, after, world.now());
    }),
  );
  putFirstAlias(documents);
  const stage: Stage = {
    world,
    log,
    documents,
    search,
    isBlind: world.chance(0.5),
    hasBuilds: world.chance(0.25) || planted.hasBuilds === true,
    planted,
    release: { version: 1 },
    broken,
    actors: [],
    operators: [],
    begun: new Set(['notes@1']),
  };
  await storm(stage);
  if (stage.hasBuilds) await switching(stage);
  await outage(stage);
  await heal(stage);
  for (const [id, { text }] of documents.collections.get(liveIn(documents)) ?? [])
    world.happen(`${id} ${text}`);
  return { trace: world.trace(), happened: world.happened };
}
