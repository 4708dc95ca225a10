import { readShadows, type Shadow } from '../../../stores/shadows.ts';
import { commandOf } from '../../command.ts';
import { print, printJson } from '../../output.ts';
import { seconds, table, type Columns } from '../../table.ts';

export const list = commandOf('read', {
  example: 'shadows list',
  run: async ({ parts }, { json }) => {
    const shadows = (await readShadows(parts.documents)).map(presentShadow);
    if (json) printJson({ shadows });
    else if (shadows.length === 0) print('There is no shadow.');
    else print(table(COLUMNS, shadows));
  },
});

/** One shadow, as `--json` prints it. What came of it is null while it is unfinished. */
export function presentShadow({ id, made, ...shadow }: Shadow & { readonly id: string }) {
  return {
    shadow: id,
    read_model: shadow.read_model,
    name: shadow.name,
    state: made ? 'finished' : 'unfinished',
    source: shadow.source,
    from: shadow.from,
    until: shadow.until,
    formula: shadow.formula,
    began_at: new Date(shadow.began_at).toISOString(),
    made_at: made && new Date(made.at).toISOString(),
    records: made?.records ?? null,
    left_out: made?.left_out ?? null,
    is_cut: made?.is_cut ?? null,
    documents: made?.documents ?? null,
    digest: made?.digest ?? null,
  };
}

const COLUMNS: Columns<ReturnType<typeof presentShadow>> = {
  shadow: 'shadow',
  state: 'state',
  documents: 'documents',
  records: 'records',
  from: 'from',
  until: 'until',
  formula: ({ formula }) => formula && `${formula.file} ${formula.digest.slice(0, 8)}`,
  made: ({ made_at: at }) => at && seconds(at),
  digest: ({ digest }) => digest && digest.slice(0, 12),
};
