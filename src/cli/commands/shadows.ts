import { Command } from 'commander';

import { readShadows, type Shadow } from '../../stores/shadows.ts';
import { withParts } from '../command.ts';
import { print, printJson } from '../output.ts';
import { seconds, table, type Columns } from '../table.ts';

export function shadows(): Command {
  return new Command('shadows')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- shadows')
    .action(({ json }: { json?: boolean }) =>
      withParts('shadows', 'read', async ({ parts }) => {
        const found = (await readShadows(parts.documents)).map(presentShadow);
        if (json) return printJson({ shadows: found });
        if (found.length === 0) print('There is no shadow.');
        else print(table(COLUMNS, found));
      }),
    );
}

/** One shadow, as `--json` prints it. What came of it is null while it is unfinished. */
interface Presented {
  readonly shadow: string;
  readonly read_model: string;
  readonly name: string;
  readonly state: 'finished' | 'unfinished';
  readonly source: string;
  readonly from: string | null;
  readonly until: string | null;
  readonly formula: Shadow['formula'];
  readonly began_at: string;
  readonly made_at: string | null;
  readonly records: number | null;
  readonly left_out: number | null;
  readonly is_cut: boolean | null;
  readonly documents: number | null;
  readonly digest: string | null;
}

export function presentShadow({ id, made, ...shadow }: Shadow & { readonly id: string }): Presented {
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

const COLUMNS: Columns<Presented> = {
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
