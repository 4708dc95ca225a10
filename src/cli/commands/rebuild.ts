import { Command } from 'commander';

import { cutOverParts } from '../../compose/cut-over-parts.ts';
import { seedSourceOf } from '../../compose/builds.ts';
import { foldIdentity } from '../../compose/fold-identity.ts';
import { foldsOf } from '../../compose/folds.ts';
import type { Parts } from '../../compose/parts.ts';
import { commandLine } from '../../platform/command-line.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import { beginBuildOf } from '../../projecting/builds/beginning.ts';
import { cutOver, verifyBuild } from '../../projecting/builds/cut-over.ts';
import { lanesOf } from '../../projecting/builds/lanes.ts';
import type { Projection } from '../../projecting/engine/projection.ts';
import { describeForgotten, forgottenBy } from '../../projecting/inspect/forgotten.ts';
import { parseBuildName, readBuild } from '../../stores/builds.ts';
import { readAlias } from '../../stores/live.ts';
import { aliasOf, buildNamed, readModelOf } from '../../operating/named-builds.ts';
import { withParts, type Finish } from '../command.ts';
import { note, print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { rebuildKey } from './rebuild/key.ts';
import { littleRoom } from './rebuild/room.ts';
import { untilComplete } from './rebuild/watching.ts';

interface Options {
  readonly cutOver?: boolean;
  readonly detach?: boolean;
  readonly key?: string;
  readonly json?: boolean;
}

export function rebuild(_finish: Finish): Command {
  return new Command('rebuild')
    .argument('<read model>', 'listings, categories or monitor')
    .option('--cut-over', 'make it live once it is ready')
    .option('--detach', 'only begin it; projectors go on with it')
    .option('--key <id>', 'one document of the live build alone, at once: a slug, for listings')
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action((name: string, options: Options) =>
      withParts('rebuild', 'change', async ({ parts, signal }) => {
        const { key, cutOver: makesLive, detach, json = false } = options;
        if (key !== undefined && (makesLive || detach))
          throw new UsageError('--key changes the live build: it goes with neither --cut-over nor --detach.');
        const projection = readModelOf(parts, name);
        if (key === undefined) await run(parts, signal, projection, options);
        else await rebuildKey(parts, signal, { name, id: key, json });
      }),
    );
}

const HELP = `
Examples:
  npm run -s catalog -- rebuild listings
  npm run -s catalog -- rebuild listings --cut-over
  npm run -s catalog -- rebuild listings --key ai-news

Running projectors make the build; this command shows how far they are. Where a build of this release is under way, it
shows that one. Ctrl-C stops watching, not the build: "drop" ends that. Readers see the live build until a cut-over.`;

async function run(
  parts: Parts,
  signal: AbortSignal,
  projection: Projection,
  options: Options,
): Promise<void> {
  const { documents, clock } = parts;
  const { name } = projection;
  const startedAt = clock.monotonic();
  const build = (await underWay(parts, projection)) ?? (await begin(parts, projection));
  const target = await buildNamed(parts, await aliasOf(parts, name), build);
  if (options.detach) {
    if (options.json) printJson({ read_model: name, build, ready: false });
    else print(`${build} is begun: "${commandLine('versions')}" shows how far it is.`);
    return;
  }
  await untilComplete(parts, target, signal);
  const work = cutOverParts(parts, signal);
  const difference = await compared(work, target);
  if (difference !== null) throw new PermanentError(`${build} is not right: ${difference}.`);
  const made = await described(parts, build, clock.monotonic() - startedAt);
  if (!options.cutOver) {
    if (options.json) printJson({ read_model: name, build, ready: true, ...made });
    else print(`${build} is ready: "${commandLine(`cut-over ${name} --to ${build}`)}" makes it live.`);
    return;
  }
  if ((await readAlias(documents, name))?.collection === build) {
    // CATALOG_CUT_OVER=auto was faster.
    if (options.json) printJson({ read_model: name, build, ready: true, live: build, ...made });
    else print(`${build} is live.`);
    return;
  }
  const done = await cutOver(work, { target, isRollback: false });
  if (done.outcome === 'given_up')
    throw new PermanentError(`${build} is ready and not live: ${done.reason}.`);
  if (options.json)
    printJson({ read_model: name, build, ready: true, live: done.to, from: done.from, ...made });
  else print(`${done.to} is live.`);
}

/** A build of this release that is not live and was not: one that a start, or this command, has begun. null without any. */
async function underWay({ documents }: Parts, { name, version }: Projection): Promise<string | null> {
  const alias = await readAlias(documents, name);
  for (const build of alias?.beside ?? []) {
    const named = parseBuildName(build);
    if (!alias || named?.version !== version || build === alias.before) continue;
    const isComplete = (await readBuild(documents, build))?.completed_at;
    if (isComplete && version <= alias.version) continue;
    note(`${build} ${isComplete ? 'is there already' : 'is under way already'}: no other one is begun.`);
    return build;
  }
  return null;
}

async function begin(parts: Parts, projection: Projection): Promise<string> {
  const { documents, config } = parts;
  await aliasOf(parts, projection.name);
  const room = littleRoom(config);
  if (room !== null) note(room);
  const begun = await beginBuildOf(documents, projection, await foldIdentity(projection, parts));
  if ('refused' in begun) throw new PermanentError(`Nothing was begun: ${begun.refused}.`);
  const { build } = begun;
  note(`${build} is begun. Ctrl-C stops watching, not the build: "${commandLine(`drop ${build}`)}" ends it.`);
  const cut = describeForgotten(await forgottenBy(parts, projection));
  if (cut !== null && (await isSeedable(parts, projection, build)))
    note(
      `${cut}: the build begins with what the live build took from them.`.replace(/^./, (first) =>
        first.toUpperCase(),
      ),
    );
  else if (cut !== null)
    note(`Take care: ${cut}. The live build may know what only those said; this one cannot.`);
  return build;
}

async function isSeedable(parts: Parts, { name }: Projection, build: string): Promise<boolean> {
  const alias = await aliasOf(parts, name);
  const target = await buildNamed(parts, alias, build);
  return (await seedSourceOf(parts, alias, target, foldsOf(parts))) !== null;
}

async function compared(work: ReturnType<typeof cutOverParts>, target: Projection): Promise<string | null> {
  using progress = showProgress('records compared');
  return await verifyBuild({ ...work, onProgress: (done, total) => progress.update(done, total) }, target);
}

/** What was made, for scripts. */
async function described({ documents }: Parts, build: string, tookMs: number) {
  const known = await readBuild(documents, build);
  const lanes = await lanesOf(documents, build);
  const sum = (of: (counts: (typeof lanes)[number]['counts']) => number): number =>
    lanes.reduce((all, { counts }) => all + of(counts), 0);
  const records = sum(({ applied, superseded, parked, ignored }) => applied + superseded + parked + ignored);
  return {
    documents: known?.verified?.documents ?? null,
    digest: known?.verified?.digest ?? null,
    records,
    parked: sum(({ parked }) => parked),
    took_ms: Math.round(tookMs),
  };
}
