import { Command } from 'commander';

import { foldIdentity } from '../../compose/fold-sources.ts';
import { cutOverParts } from '../../compose/cut-over-parts.ts';
import type { Parts } from '../../compose/parts.ts';
import { commandLine } from '../../platform/command-line.ts';
import { PermanentError } from '../../platform/errors.ts';
import { beginBuildOf } from '../../projecting/builds/beginning.ts';
import { cutOver, verifyBuild } from '../../projecting/builds/cut-over.ts';
import { lanesOf } from '../../projecting/builds/lanes.ts';
import { explainHalt } from '../../projecting/engine/lane.ts';
import type { Projection } from '../../projecting/engine/projection.ts';
import { Stopped } from '../../projecting/engine/retry.ts';
import { readProgress } from '../../projecting/inspect/progress.ts';
import { readBuild } from '../../stores/builds.ts';
import { aliasOf, buildNamed, readModelOf } from '../builds.ts';
import { withParts, type Finish } from '../command.ts';
import { note, print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';

interface Options {
  readonly cutOver?: boolean;
  readonly detach?: boolean;
  readonly json?: boolean;
}

export function rebuild(_finish: Finish): Command {
  return new Command('rebuild')
    .description('Make a read model again from the log, beside the live one, and compare it with the log.')
    .argument('<read model>', 'listings, categories or monitor')
    .option('--cut-over', 'make it live once it is ready')
    .option('--detach', 'only begin it; projectors go on with it')
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action((name: string, options: Options) =>
      withParts('rebuild', 'change', ({ parts, signal }) => run(parts, signal, name, options)),
    );
}

const HELP = `
Examples:
  npm run -s catalog -- rebuild listings
  npm run -s catalog -- rebuild listings --cut-over

Running projectors make the build; this command shows how far they are. Ctrl-C stops watching, not the build: "drop" ends
that. Readers see the live build until a cut-over.`;

async function run(parts: Parts, signal: AbortSignal, name: string, options: Options): Promise<void> {
  const projection = readModelOf(parts, name);
  const begun = await beginBuildOf(parts.documents, projection, await foldIdentity(projection));
  if ('refused' in begun) throw new PermanentError(`Nothing was begun: ${begun.refused}.`);
  const { build } = begun;
  const target = await buildNamed(parts, await aliasOf(parts, name), build);
  if (options.detach) {
    if (options.json) printJson({ read_model: name, build, ready: false });
    else print(`${build} is begun: "${commandLine('versions')}" shows how far it is.`);
    return;
  }
  note(`${build} is begun. Ctrl-C stops watching, not the build: "${commandLine(`drop ${build}`)}" ends it.`);
  await untilComplete(parts, target, build, signal);
  const work = { ...cutOverParts(parts, signal), onProgress: () => undefined };
  const difference = await verifyBuild(work, target);
  if (difference !== null) throw new PermanentError(`${build} is not right: ${difference}.`);
  if (!options.cutOver) {
    if (options.json) printJson({ read_model: name, build, ready: true });
    else print(`${build} is ready: "${commandLine(`cut-over ${name} --to ${build}`)}" makes it live.`);
    return;
  }
  const done = await cutOver(work, { target, isRollback: false });
  if (done.outcome === 'given_up')
    throw new PermanentError(`${build} is ready and not live: ${done.reason}.`);
  if (options.json) printJson({ read_model: name, build, ready: true, live: done.to, from: done.from });
  else print(`${done.to} is live.`);
}

const LOOK_MS = 250;
/** So long nothing may move until it is said that perhaps nobody projects, in milliseconds. */
const STILL_MS = 10_000;

/** Shows how far the build is until it has caught up with the log. @throws {Stopped} by Ctrl-C. */
async function untilComplete(
  parts: Parts,
  target: Projection,
  build: string,
  signal: AbortSignal,
): Promise<void> {
  const { documents, log, topicName, clock } = parts;
  using progress = showProgress('records folded');
  let [before, movedAt] = [-1, clock.monotonic()];
  for (;;) {
    if ((await readBuild(documents, build))?.completed_at) return;
    const lanes = await readProgress({ log, documents, topicName, projections: [target] });
    const total = lanes.reduce((sum, { latest, earliest }) => sum + latest - earliest, 0);
    const left = lanes.reduce((sum, { lag }) => sum + lag, 0);
    progress.update(total - left, total);
    for (const lane of await lanesOf(documents, build))
      if (lane.halted) throw new PermanentError(explainHalt(lane, lane.halted));
    if (left !== before) [before, movedAt] = [left, clock.monotonic()];
    if (clock.monotonic() - movedAt > STILL_MS) {
      movedAt = Infinity;
      note(`Nothing moves. Is a projector running ("npm start", or "${commandLine('project')}")?`);
    }
    await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) throw new Stopped('stopped watching');
  }
}
