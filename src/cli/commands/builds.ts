import { switchTo, type SwitchRequest } from '../../operations/cut-over.ts';
import { dropNamedBuild } from '../../operations/drop.ts';
import { readRemoved, readVersions, type Version } from '../../operations/list-builds.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { DAY_MS } from '../../platform/time/instant.ts';
import { isOlderBuild } from '../../stores/build-names.ts';
import { commandOf, type Work } from '../command.ts';
import { argument, READ_MODEL, span, textOption } from '../option-builders.ts';
import { note, print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { type Columns, fieldColumns, seconds, table } from '../table.ts';

export const list = commandOf('read', {
  run: async ({ parts }, { json }) => {
    const builds = await readVersions(parts);
    const removed = await readRemoved(parts);
    if (json) return printJson({ builds, removed });
    print(table(COLUMNS, builds));
    for (const build of removed)
      note(
        `${build} is of a read model that this release does not have. Where no other release has it, "${commandLine(`builds drop ${build}`)}" removes it.`,
      );
  },
});

const COLUMNS: Columns<Version> = {
  ...fieldColumns('build', 'state', 'documents', 'records', 'parked'),
  'complete since': ({ complete_since: at }) => at && seconds(at),
  verified: ({ verified_at: at }) => at && seconds(at),
  servers: 'servers',
};

/** Nobody waits for longer than a day for one command. */
const WAIT = span(
  '<time>',
  'try again for so long (5m) where it cannot be done yet, and say what it waits for',
  DAY_MS,
);

export const cutOver = commandOf('change', {
  takes: {
    name: READ_MODEL,
    wait: WAIT,
    to: textOption('<build>', 'as "builds list" names it; the newest one without it'),
  },
  run: (work, asked) => switching(work, { ...asked, isRollback: false }),
});

export const rollBack = commandOf('change', {
  takes: { name: READ_MODEL, wait: WAIT },
  run: (work, asked) => switching(work, { ...asked, isRollback: true }),
});

type Request = Pick<SwitchRequest, 'name' | 'to' | 'isRollback'>;

async function switching(
  { parts, signal }: Work,
  { wait, json, ...request }: Request & { readonly wait?: number; readonly json?: boolean },
): Promise<void> {
  using progress = showProgress();
  const { name } = request;
  const { from, live } = await switchTo(parts, signal, {
    ...request,
    onProgress: (done, total) => progress.update('records compared', done, total),
    ...(wait !== undefined && { wait: { ms: wait, onRefusal: tellOnce() } }),
  });
  if (json) return printJson({ read_model: name, from, live });
  if (from === null) return print(`${live} is live already.`);
  print(`${live} is live.`);
  const back = isOlderBuild(from, live) ? `roll-back ${name}` : `cut-over ${name} --to ${from}`;
  note(`${from} is kept up to date: "${commandLine(`builds ${back}`)}" goes back to it.`);
}

/** What it waits for, each time that this is something else. */
function tellOnce(): (reason: string) => void {
  let said = '';
  return (reason) => {
    if (reason !== said) note(`${reason} It is tried again.`);
    said = reason;
  };
}

export const drop = commandOf('change', {
  takes: { build: argument('<build>', 'as "builds list" names it') },
  run: async ({ parts, signal }, { build, json }) => {
    await dropNamedBuild(parts, signal, build);
    if (json) printJson({ dropped: build });
    else print(`${build} is gone.`);
  },
});
