import { cutOverParts } from '../../../compose/cut-over-parts.ts';
import type { Parts } from '../../../compose/parts.ts';
import { switchTo } from '../../../operations/cut-over.ts';
import { readVersion } from '../../../operations/list-builds.ts';
import { buildNamed, readModelOf } from '../../../operations/named-builds.ts';
import { beginRebuild, untilComplete } from '../../../operations/begin-and-watch-build.ts';
import { PermanentError } from '../../../platform/errors.ts';
import { commandLine } from '../../../platform/text/command-hint.ts';
import { verifyBuild } from '../../../projecting/builds/verify-and-cut-over.ts';
import type { Projection } from '../../../projecting/engine/projection.ts';
import { requireAlias } from '../../../stores/aliases.ts';
import { commandOf } from '../../command.ts';
import { flag, READ_MODEL } from '../../option-builders.ts';
import { note, print, printJson } from '../../output.ts';
import { showProgress } from '../../progress.ts';
import { remarkStandstill } from '../../wait-until-served.ts';

export const rebuild = commandOf('change', {
  takes: {
    name: READ_MODEL,
    cutOver: flag('make it live once it is ready'),
    detach: flag('only begin it; projectors go on with it'),
  },
  run: async ({ parts, signal }, { name, json, detach, cutOver }) => {
    const startedAt = parts.clock.monotonic();
    const { build, remarks } = await beginRebuild(parts, readModelOf(parts, name));
    note(remarks);
    if (detach) {
      if (json) return printJson({ read_model: name, build, ready: false });
      return print(`${build} is begun: "${commandLine('builds list')}" shows how far it is.`);
    }
    const target = await buildNamed(parts, await requireAlias(parts.documents, name), build);
    const live = await make(parts, signal, target, cutOver ? { name, to: build } : null);
    if (json) {
      const { documents, digest, records, parked } = await readVersion(parts, name, build);
      const took_ms = Math.round(parts.clock.monotonic() - startedAt);
      const made = { documents, digest, records, parked, took_ms };
      printJson({ read_model: name, build, ready: true, ...live, ...made });
    } else if (live) print(`${live.live} is live.`);
    else print(`${build} is ready: "${commandLine(`builds cut-over ${name} --to ${build}`)}" makes it live.`);
  },
});

/** Watches a build until it is complete; then it is verified, and made live where that was asked for. */
async function make(
  parts: Parts,
  signal: AbortSignal,
  target: Projection,
  asked: { readonly name: string; readonly to: string } | null,
): Promise<{ readonly live: string; readonly from: string | null } | null> {
  using progress = showProgress();
  await untilComplete(parts, target, signal, remarkStandstill(parts, progress.update));
  const onProgress = (done: number, total: number): void => progress.update('records compared', done, total);
  if (asked) return await switchTo(parts, signal, { ...asked, isRollback: false, onProgress });
  const difference = await verifyBuild({ ...cutOverParts(parts, signal), onProgress }, target);
  if (difference !== null) throw new PermanentError(`The build is not right: ${difference}.`);
  return null;
}
