import { RetryableError, PermanentError } from '../../src/platform/errors.ts';
import { beginBuildOf } from '../../src/projecting/builds/claim-build.ts';
import { cutOver, type CutOverParts } from '../../src/projecting/builds/verify-and-cut-over.ts';
import { dropBuild } from '../../src/projecting/builds/drop-build.ts';
import { redriveEverywhere } from '../../src/projecting/builds/redrive-in-builds.ts';
import { parkedEvents } from '../../src/projecting/engine/parked-queries.ts';
import { buildsOf, readAlias } from '../../src/stores/aliases.ts';
import { switchBuild } from '../../src/projecting/builds/switch-build.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { FEED_LEASES } from '../../src/stores/feed-lease.ts';
import { aliasIn, FOLD, isBuild, NAME, projectionOf } from './aliases.ts';
import { NOTES_AND_MARKS } from './notes-and-marks.ts';
import { connectDocuments } from './simulated-documents.ts';
import { connectSearch } from './simulated-search.ts';
import { leasesOf, partsOf, type Operator, type Stage } from './stage.ts';
import { createWorker, type Worker } from './worker.ts';

/** What people and scripts do to builds: each time in a process of its own, which may be killed at any point. */

/** Long work of many calls: at the rate at which a worker's calls fail it would never come to an end. */
const LUCK = 0.02;
/** Shorter than the real one, and longer than a worker that was not heard of is waited for. Simulated milliseconds. */
const PAUSE_MS = 9000;
/** Builds that are kept up to date at most: each of them folds everything. */
const BUILDS = 3;

const ACTS = [
  'begin',
  'switch',
  'switch',
  'switch',
  'switch',
  'cut over',
  'roll back',
  'drop',
  'redrive',
  'redrive',
  'redrive',
  'redrive',
  'redrive',
] as const;
type Act = (typeof ACTS)[number];

/** Those that write to builds beside their lanes: they are to meet switches. */
export const WRITING_ACTS = ['redrive'] as const;

/** Starts one command. What it ends with is told to the trace, and no matter: it fails as the stores do. */
export function operate(stage: Stage, acts: readonly [Act, ...Act[]] = ACTS): void {
  const { world } = stage;
  const operator = createOperator(stage);
  const work = commandOf(stage, operator.worker, world.pick(acts));
  work
    .then((outcome) => world.happen(outcome))
    .catch((thrown: unknown) => {
      const isExpected = thrown instanceof RetryableError || thrown instanceof PermanentError;
      if (!isExpected) stage.broken.push(thrown as Error);
      world.happen('operator failed');
    })
    .finally(() => (operator.isDone = true));
}

export function createOperator(stage: Stage): Operator {
  const worker = createWorker(stage.world, `operator ${stage.operators.length}`);
  worker.luck = LUCK;
  const operator = { worker, isDone: false };
  stage.operators.push(operator);
  return operator;
}

async function commandOf(stage: Stage, worker: Worker, act: Act): Promise<string> {
  const { documents, world } = stage;
  if (act === 'redrive') return redriveSome(stage, worker);
  const { beside, before } = aliasIn(documents);
  const [first, ...others] = beside;
  if (first === undefined || (act === 'begin' && beside.length + 1 < BUILDS)) {
    await beginAnother(stage, worker);
    return 'begun';
  }
  const build = world.pick([first, ...others]);
  switch (act) {
    case 'begin':
      return 'enough builds';
    case 'switch':
      return switchTo(stage, worker, build);
    case 'cut over':
      return cutOverTo(stage, worker, build, false);
    case 'roll back':
      return cutOverTo(stage, worker, before !== null && beside.includes(before) ? before : build, true);
    case 'drop':
      return (await drop(stage, worker, build)) === null ? 'dropped' : 'not dropped';
  }
}

/** The name of the build, or null where it was refused. */
export async function beginAnother(stage: Stage, worker: Worker): Promise<string | null> {
  const begun = await beginBuildOf(operated(stage, worker), NOTES_AND_MARKS, FOLD);
  if (!('build' in begun)) return null;
  stage.begun.add(begun.build);
  return begun.build;
}

export async function switchTo(stage: Stage, worker: Worker, target: string): Promise<string> {
  const wanted = { name: NAME, target, index: target, pinned: false };
  const done = await switchBuild(cutOverParts(stage, worker), wanted);
  return done.outcome === 'switched' ? 'switched' : `not switched: ${kindOf(done.reason)}`;
}

export async function cutOverTo(
  stage: Stage,
  worker: Worker,
  build: string,
  isRollback: boolean,
): Promise<string> {
  const done = await cutOver(cutOverParts(stage, worker), { target: projectionOf(build), isRollback });
  if (done.outcome === 'switched') return isRollback ? 'rolled back' : 'cut over';
  return `${isRollback ? 'not rolled back' : 'not cut over'}: ${kindOf(done.reason)}`;
}

/** Names of lanes and numbers are left out. */
function kindOf(reason: string): string {
  return reason.replaceAll(/\S*[@\d:]\S*/g, '_');
}

export async function drop(
  stage: Stage,
  worker: Worker,
  build: string,
  graceMs?: number,
): Promise<string | null> {
  const { clock } = worker;
  const { signal } = new AbortController();
  return dropBuild(
    {
      documents: operated(stage, worker),
      search: connectSearch(stage.search, worker),
      clock,
      signal,
      ...(graceMs === undefined ? {} : { graceMs }),
    },
    NAME,
    build,
  );
}

/** `parked redrive` as people select: everything, what was parked lately, or one event. The release knows more from then on. */
async function redriveSome(stage: Stage, worker: Worker): Promise<string> {
  const { world } = stage;
  stage.release.version += 1;
  const since = world.chance(0.5) ? world.now() * world.random() : undefined;
  const redriven = await redriveAll(stage, worker, since, world.chance(0.3) ? 1 : Infinity);
  return redriven > 0 ? 'redriven' : 'nothing redriven';
}

/** Returns how many were redriven, under whatever name. */
export async function redriveAll(
  stage: Stage,
  worker: Worker,
  since?: number,
  most = Infinity,
): Promise<number> {
  const parts = writingParts(stage, worker);
  const ids: string[] = [];
  for await (const page of parkedEvents(parts.documents, { since })) ids.push(...page.map(({ id }) => id));
  let redriven = 0;
  for (const id of ids.slice(-most))
    for (const { outcome } of await redriveEverywhere(parts, id)) if (outcome === 'redriven') redriven += 1;
  return redriven;
}

function writingParts(stage: Stage, worker: Worker): CutOverParts {
  const parts = cutOverParts(stage, worker);
  const documents = dawdling(stage, worker, parts.documents);
  return { ...parts, documents: stage.planted.written?.(documents) ?? documents };
}

/** How often it does nothing for a while before it writes, and for how long. Simulated milliseconds. */
const DAWDLES = 0.4;
const LONGEST_DAWDLE_MS = 8000;

/** A command that is slow between what it has looked at and what it writes: whole switches fit in. */
function dawdling({ world }: Stage, { clock }: Worker, documents: Documents): Documents {
  return {
    ...documents,
    write: async (collection, writes, options) => {
      if (world.faults > 0 && isBuild(collection) && world.chance(DAWDLES))
        await clock.sleep(LONGEST_DAWDLE_MS * world.random());
      return documents.write(collection, writes, options);
    },
  };
}

function cutOverParts(stage: Stage, worker: Worker): CutOverParts {
  const parts = partsOf({ ...stage, planted: {} }, worker);
  const documents = operated(stage, worker);
  const { redrivenIn = (standing) => standing } = stage.planted;
  return {
    ...parts,
    documents,
    search: connectSearch(stage.search, worker),
    signal: new AbortController().signal,
    owner: worker.name,
    pauseMs: PAUSE_MS,
    standing: async (name) => {
      const alias = await readAlias(documents, name);
      return redrivenIn(
        (alias ? buildsOf(alias) : []).map((build) => ({
          build,
          isLive: build === alias?.collection,
          projection: projectionOf(build),
        })),
      );
    },
  };
}

/** It asks the feeder that it finds, wherever that one keeps its lease. */
function operated(stage: Stage, worker: Worker): Documents {
  const { actors, planted } = stage;
  const documents = connectDocuments(stage.documents, worker);
  const feeding = actors.findLast(({ worker: other, stopping }) => !other.isDead && !stopping);
  const leases = feeding?.isAlone ? leasesOf(feeding.worker) : FEED_LEASES.name;
  const seeing: Documents = {
    ...documents,
    get: (collection, ids, options) =>
      documents.get(collection === FEED_LEASES.name ? leases : collection, ids, options),
  };
  return planted.operated?.(seeing) ?? seeing;
}
