import type { Json } from '../../../platform/json.ts';
import type { ReadModelDocument } from '../../../projecting/engine/projection.ts';
import { differs, shownView, sideBySide, type Change } from '../../../projecting/inspect/diff/comparing.ts';
import type { Cursor, Documents, Page } from '../../../stores/documents/port.ts';
import { table, type Columns } from '../../table.ts';
import { PUBLISHED, SCORE, scoreOf } from './score.ts';
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
export interface EntryField extends Change {
  readonly field: string;
  readonly differs: boolean;
}

export interface AskedEntry {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  readonly paths: readonly string[] | null;
  /** Whether its rank is asked for, and the read model has one. */
  readonly rank: boolean;
}

/** null where readers see it in neither build. Of lists whose elements are told apart, it has what differs. */
export async function readEntry(documents: Documents, asked: AskedEntry): Promise<EntryDiff | null> {
  const { id, paths, rank } = asked;
  const sides = await Promise.all(
    [asked.before, asked.after].map(async (collection) => {
      const stored = (await documents.get<ReadModelDocument>(collection, [id])).get(id) ?? null;
      const view = shownView(stored);
      const score = rank && view ? scoreOf(view) : null;
      return { view, rank: score === null ? null : await rankIn(documents, collection, { id, score }) };
    }),
  );
  const [before, after] = sides;
  if (!before || !after || (before.view === null && after.view === null)) return null;
  const fields = new Map(sideBySide(before.view, after.view, paths));
  if (rank) fields.set('rank', { before: before.rank, after: after.rank });
  return {
    id,
    before: asked.before,
    after: asked.after,
    shown: { before: before.view !== null, after: after.view !== null },
    fields: [...fields]
      .map(([field, change]) => ({ field, ...change, differs: differs(change) }))
      .filter((field) => field.differs || !IN_LIST.test(field.field) || paths !== null),
  };
}

/** A day's audience is one of ninety; those that are equal only hide the others. */
const IN_LIST = /\.\d{4}-\d{2}-\d{2}\./;

/** By the store's own count, which takes no scan: as many as have a higher score, or the same and a smaller id. */
async function rankIn(
  documents: Documents,
  collection: string,
  { id, score }: { readonly id: string; readonly score: number },
): Promise<number> {
  const [higher] = await documents.count(collection, {
    where: { ...PUBLISHED, [SCORE]: { gt: score } },
    by: [],
  });
  let rank = (higher?.count ?? 0) + 1;
  let after: Cursor | null | undefined;
  while (after !== null) {
    const page: Page<ReadModelDocument> = await documents.find(collection, {
      where: { ...PUBLISHED, [SCORE]: score },
      order: [],
      limit: 1000,
      ...(after !== undefined && { after }),
    });
    rank += page.documents.filter((other) => other.id < id).length;
    after = page.documents.some((other) => other.id === id) ? null : page.next;
  }
  return rank;
}

/** Fields one below the other, those that differ marked. */
export function entryLines({ id, before, after, shown, fields }: EntryDiff): readonly string[] {
  const columns: Columns<EntryField> = {
    '': ({ differs: isOther }) => (isOther ? '*' : ' '),
    field: 'field',
    [before]: ({ before: value }) => shownValue(value),
    [after]: ({ after: value }) => shownValue(value),
  };
  const unseen = [shown.before ? [] : [before], shown.after ? [] : [after]].flat();
  const differing = fields.filter((field) => field.differs).length;
  return [
    ...unseen.map((build) => `${build} has no entry ${id} that readers see.`),
    ...(fields.length === 0 ? [] : table(columns, fields)),
    differing === 0 ? `${id} is the same in both.` : '* differs',
  ];
}

const VALUE_SHOWN = 48;

function shownValue(value: Json | undefined): string | null {
  if (value === undefined) return null;
  return shortened(typeof value === 'string' ? value : JSON.stringify(value), VALUE_SHOWN);
}
