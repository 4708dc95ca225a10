import { replay as replayHistory, type ReplayReport } from '../../../operations/replay/replay.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import { counted } from '../../../texts/plain.ts';
import { commandOf } from '../../command.ts';
import { moment, READ_MODEL, textOption } from '../../options.ts';
import { note, print, printJson } from '../../output.ts';
import { showProgress } from '../../progress.ts';
import { presentShadow } from './list.ts';

export const replay = commandOf('change', {
  takes: {
    name: READ_MODEL,
    until: moment('<time>', 'the last moment of it (default: now)'),
    from: moment('<time>', 'the first moment of it (default: the beginning)'),
    into: textOption('<name>', 'of the shadow (default: replay-1, or the next free number)'),
    fromArchive: textOption('<dir>', 'read what "keep archive" has written there, in place of the log'),
    formula: textOption('<file>', 'a module with another score formula, for listings'),
  },
  help: `
A time is an RFC 3339 date-time by the log's own clock, or how long ago (30m, 12h, 7d).

Examples:
  npm run -s catalog -- shadows replay listings --until 7d --into last-week
  npm run -s catalog -- shadows replay listings --formula weights.ts --into weights
  npm run -s catalog -- shadows replay listings --from-archive /backup/log --into archived

Readers see nothing of it, and nothing live is touched. "shadows list" shows shadows, "builds diff" compares one, "shadows
drop" removes it.`,
  run: async ({ parts, signal }, { json, ...asked }) => {
    using progress = showProgress();
    const made = await replayHistory(parts, signal, { ...asked, onProgress: progress.update });
    if (json) printJson(presentShadow({ ...made.shadow, id: made.id }));
    else tell(made);
  },
});

function tell({ id, shadow: { made }, live }: ReplayReport): void {
  if (!made) throw new Error(`${id} is not finished`);
  if (made.is_cut) note('Not all of history is held any more: the shadow lacks what stood in the rest.');
  if (made.left_out > 0)
    note(`${counted(made.left_out, 'record')} left out: parked, discarded, or not to be decoded.`);
  print(
    `${id}: ${counted(made.documents, 'document')} of ${counted(made.records, 'record')}, digest ${made.digest.slice(0, 12)}.`,
  );
  if (live !== null) print(`Compare: ${commandLine(`builds diff ${live} ${id}`)}`);
}
