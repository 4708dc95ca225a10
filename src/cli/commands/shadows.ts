import { replay as replayHistory, type ReplayReport } from '../../operations/replay/replay.ts';
import { dropNamedShadow } from '../../operations/replay/shadow-names.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { instantAt } from '../../platform/time/instant.ts';
import { readShadows, type Shadow } from '../../stores/shadows.ts';
import { counted } from '../../texts/english-amounts.ts';
import { commandOf } from '../command.ts';
import { argument, moment, READ_MODEL, textOption } from '../option-builders.ts';
import { note, print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { type Columns, fieldColumns, seconds, table } from '../table.ts';

export const replay = commandOf('change', {
  takes: {
    name: READ_MODEL,
    until: moment('<time>', 'the last moment of it (default: now)'),
    from: moment('<time>', 'the first moment of it (default: the beginning)'),
    into: textOption('<name>', 'of the shadow (default: replay-1, or the next free number)'),
    fromArchive: textOption('<dir>', 'read what "keep archive" has written there, in place of the log'),
    formula: textOption('<file>', 'a module with another score formula, for listings'),
  },
  run: async ({ parts, signal }, { json, ...asked }) => {
    using progress = showProgress();
    const replayed = await replayHistory(parts, signal, { ...asked, onProgress: progress.update });
    if (json) printJson(presentShadow({ ...replayed.shadow, id: replayed.id }));
    else tell(replayed);
  },
});

function tell({ id, shadow: { made }, live }: ReplayReport): void {
  if (!made) throw new Error(`${id} is not finished`);
  if (made.is_cut) note('Not all of history is held any more: the shadow lacks what stood in the rest.');
  if (made.left_out > 0)
    note(`${counted(made.left_out, 'record')} left out: parked, discarded, or not to be decoded.`);
  const size = `${counted(made.documents, 'document')} of ${counted(made.records, 'record')}`;
  print(`${id}: ${size}, digest ${made.digest.slice(0, 12)}.`);
  if (live !== null) print(`Compare: ${commandLine(`builds diff ${live} ${id}`)}`);
}

export const list = commandOf('read', {
  run: async ({ parts }, { json }) => {
    const shadows = (await readShadows(parts.documents)).map(presentShadow);
    if (json) printJson({ shadows });
    else print(shadows.length === 0 ? 'There is no shadow.' : table(COLUMNS, shadows));
  },
});

/** One shadow, as `--json` prints it. What came of it is null while it is unfinished. */
function presentShadow({ id, made, ...shadow }: Shadow & { readonly id: string }) {
  const { read_model, name, source, from, until, formula, began_at } = shadow;
  const { at, ...result } = made ?? UNFINISHED;
  const times = { began_at: instantAt(began_at), made_at: at && instantAt(at) };
  const asked = { shadow: id, read_model, name, source, from, until, formula };
  return { ...asked, state: made ? 'finished' : 'unfinished', ...times, ...result };
}

const UNFINISHED = { at: null, records: null, left_out: null, is_cut: null, documents: null, digest: null };

const COLUMNS: Columns<ReturnType<typeof presentShadow>> = {
  ...fieldColumns('shadow', 'state', 'documents', 'records', 'from', 'until'),
  formula: ({ formula }) => formula && `${formula.file} ${formula.digest.slice(0, 8)}`,
  made: ({ made_at: at }) => at && seconds(at),
  digest: ({ digest }) => digest && digest.slice(0, 12),
};

export const drop = commandOf('change', {
  takes: { shadow: argument('<shadow>', 'as "shadows list" shows it, or its name alone') },
  run: async ({ parts }, { shadow, json }) => {
    const dropped = await dropNamedShadow(parts, shadow);
    if (json) printJson({ dropped });
    else print(`${dropped} is gone.`);
  },
});
