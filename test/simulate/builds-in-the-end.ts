import { aliasIn, buildsIn, liveIn } from './aliases.ts';
import { checkGone } from './build-promises.ts';
import { BUILDS } from '../../src/stores/builds.ts';
import type { Build } from '../../src/stores/builds.ts';
import { PARKED, type ParkedEvent } from '../../src/projecting/engine/parking.ts';
import { beginAnother, createOperator, cutOverTo, drop, redriveAll } from './operators.ts';
import { require } from './promises.ts';
import { bodyOf } from './simulated-documents.ts';
import { assignAll, finish, type Actor, type Stage } from './stage.ts';

/*
 * Once nothing fails: whatever was left by commands that were killed, another build can be made live, the one before be
 * gone back to, and everything but the live one be dropped.
 */

/** A build folds everything there is, and its index is told of it. Simulated milliseconds. */
const COMPLETE_MS = 60_000;
const ATTEMPTS = 10;

export async function switchInPeace(stage: Stage, last: Actor): Promise<void> {
  const { world, documents } = stage;
  const { worker } = createOperator(stage);
  const source = liveIn(documents);
  const known = aliasIn(documents).beside[0] ?? null;
  const target = known ?? (await finish(stage, beginAnother(stage, worker), 'a build is begun')) ?? '';
  await world.until(() => stage.broken.length > 0 || isComplete(stage, target, last), COMPLETE_MS);
  require(isComplete(stage, target, last), `recovery: ${target} is never complete`);
  const cutOver = (): Promise<string> => cutOverTo(stage, worker, target, false);
  await requireLive(stage, target, cutOver);
  const rollBack = (): Promise<string> => cutOverTo(stage, worker, source, true);
  await requireLive(stage, source, rollBack);
}

/** An index that is slow to be told is no failure: people try again. */
async function requireLive(stage: Stage, build: string, act: () => Promise<string>): Promise<void> {
  let outcome = '';
  for (let attempt = 0; attempt < ATTEMPTS && liveIn(stage.documents) !== build; attempt += 1)
    outcome = await finish(stage, act(), `${build} is made live`);
  require(liveIn(stage.documents) === build, `recovery: ${build} is ${outcome}`);
}

/** What the release knows by now is redriven, in every build, whatever was begun by commands that were killed. */
export async function redriveInPeace(stage: Stage): Promise<void> {
  stage.release.version += 1;
  const { worker } = createOperator(stage);
  await finish(stage, redriveAll(stage, worker), 'everything is redriven');
  for (const [id, { body }] of stage.documents.collections.get(PARKED.name) ?? []) {
    const { readModel, rejection, redriving } = body as ParkedEvent;
    // Of a build that was dropped halfway something may be left.
    if (!buildsIn(stage.documents).includes(readModel)) continue;
    require(rejection.code !== 'unknown_version' &&
      redriving === undefined, `recovery: ${id} is not redriven`);
  }
}

/** Drops whatever is not live, and what commands have left half dropped. */
export async function dropOthers(stage: Stage): Promise<void> {
  const { worker } = createOperator(stage);
  const live = liveIn(stage.documents);
  for (const build of buildsIn(stage.documents)) stage.begun.add(build);
  const others = [...stage.begun].filter((build) => build !== live);
  for (const build of others) {
    const refusal = await finish(stage, drop(stage, worker, build, 0), `${build} is dropped`);
    require(refusal === null, `recovery: ${build} cannot be dropped: ${refusal}`);
  }
  require(buildsIn(stage.documents).length === 1, 'recovery: a build that was dropped stands in the alias');
}

export function checkDropped(stage: Stage): void {
  const standing = new Set(buildsIn(stage.documents));
  for (const build of stage.begun) if (!standing.has(build)) checkGone(stage, build);
}

function isComplete(stage: Stage, build: string, last: Actor): boolean {
  // The group hands out the lanes of a new build as well.
  assignAll(stage, last);
  return ((bodyOf(stage.documents, BUILDS.name, build) as Build | undefined)?.completed_at ?? null) !== null;
}
