import { switchTo } from '../../../operations/cut-over.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import { isOlderBuild } from '../../../stores/builds.ts';
import { commandOf, type Work } from '../../command.ts';
import { READ_MODEL, span, textOption } from '../../options.ts';
import { note, print, printJson } from '../../output.ts';
import { showProgress } from '../../progress.ts';

/** Nobody waits for longer than this for one command. */
const LONGEST_WAIT_MS = 86_400_000;

const WAIT = span(
  '<time>',
  'try again for so long (5m) where it cannot be done yet, and say what it waits for',
  LONGEST_WAIT_MS,
);

export const cutOver = commandOf('change', {
  takes: {
    name: READ_MODEL,
    wait: WAIT,
    to: textOption('<build>', 'as "builds list" names it; the newest one without it'),
  },
  help: `
Examples:
  npm run -s catalog -- builds cut-over listings
  npm run -s catalog -- builds cut-over listings --to listings@2-b2
  npm run -s catalog -- builds cut-over listings --wait 5m

The build has to have caught up with the log. It is compared with the log first, where nobody has done so; then the lanes
keep quiet for a moment, and one write makes it live, with its search index. Readers never see a mix of both. The build that
was live is kept up to date: "builds roll-back" goes back to it as quickly. A build that is live already stays so, and the
exit code is 0.`,
  run: (work, asked) => switching(work, { ...asked, isRollback: false }),
});

export const rollBack = commandOf('change', {
  takes: { name: READ_MODEL, wait: WAIT },
  help: `
Examples:
  npm run -s catalog -- builds roll-back listings
  npm run -s catalog -- builds roll-back listings --wait 5m

Readers then see today's state as the earlier release made it. It only goes to an older build. No build cuts over by itself
afterwards, until somebody runs "builds cut-over". Said again, it changes nothing, and the exit code is 0.`,
  run: (work, asked) => switching(work, { ...asked, isRollback: true }),
});

interface CutOverOptions {
  readonly name: string;
  readonly to?: string;
  readonly wait?: number;
  readonly json?: boolean;
  readonly isRollback: boolean;
}

async function switching(
  { parts, signal }: Work,
  { name, to, wait, json, isRollback }: CutOverOptions,
): Promise<void> {
  using progress = showProgress();
  const { from, live } = await switchTo(parts, signal, {
    name,
    to,
    isRollback,
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
