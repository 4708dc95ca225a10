import type { Json } from '../../../platform/json.ts';
import type { ReadModelDocument } from '../../../projecting/engine/projection.ts';
import { differs, shownView, sideBySide, type Change } from '../../../projecting/inspect/diff/comparing.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import { table, type Columns } from '../../table.ts';
import { shortened } from './report.ts';

/** One entry in two builds: what `--key` with `--json` prints. */
export interface EntryDiff {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  /** Whether readers see it in each. */
  readonly shown: { readonly before: boolean; readonly after: boolean };
  readonly fields: readonly EntryField[];
}

/** A side that lacks the field has no value of it. */
interface EntryField extends Change {
  readonly field: string;
  readonly differs: boolean;
}

/** null where readers see it in neither build. Of a history, it has the days that differ. */
export async function readEntry(
  documents: Documents,
  id: string,
  [before, after]: readonly [string, string],
  paths: readonly string[] | null,
): Promise<EntryDiff | null> {
  const viewIn = async (build: string) =>
    shownView((await documents.get<ReadModelDocument>(build, [id])).get(id) ?? null);
  const [old, fresh] = [await viewIn(before), await viewIn(after)];
  if (old === null && fresh === null) return null;
  return {
    id,
    before,
    after,
    shown: { before: old !== null, after: fresh !== null },
    fields: [...sideBySide(old, fresh, paths)]
      .map(([field, change]) => ({ field, ...change, differs: differs(change) }))
      .filter((field) => field.differs || !IN_LIST.test(field.field) || paths !== null),
  };
}

/** A day's audience is one of ninety; those that are equal only hide the others. */
const IN_LIST = /\.\d{4}-\d{2}-\d{2}\./;

/** Fields one below the other, those that differ marked. */
export function entryLines({ id, before, after, shown, fields }: EntryDiff): readonly string[] {
  const columns: Columns<EntryField> = {
    '': ({ differs: isOther }) => (isOther ? '*' : ' '),
    field: 'field',
    [before]: ({ before: value }) => shownValue(value),
    [after]: ({ after: value }) => shownValue(value),
  };
  const unseen = [shown.before ? [] : [before], shown.after ? [] : [after]].flat();
  return [
    ...unseen.map((build) => `${build} has no entry ${id} that readers see.`),
    ...(fields.length === 0 ? [] : table(columns, fields)),
    fields.some((field) => field.differs) ? '* differs' : `${id} is the same in both.`,
  ];
}

const VALUE_SHOWN = 48;

function shownValue(value: Json | undefined): string | null {
  if (value === undefined) return null;
  return shortened(typeof value === 'string' ? value : JSON.stringify(value), VALUE_SHOWN);
}
