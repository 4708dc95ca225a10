import type { Log } from '../events/log/port.ts';
import type { Policy } from '../monitor/policy.ts';
import type { ReadDocuments } from '../stores/time-limit.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import type { Json } from '../platform/json.ts';
import { at, fit, type Column } from './column.ts';

/** What analysts read: rows of named columns, made from the documents of a build or from the log. */

export interface SqlView {
  /** As it is written in SQL. */
  readonly name: string;
  /** What a row is; Markdown. */
  readonly meaning: string;
  /** Whose documents it shows; null for the log. */
  readonly readModel: string | null;
  readonly columns: Readonly<Record<string, Column>>;
  /** How many items there are to read, about; for progress. */
  size(sources: Sources, collection: string): Promise<number>;
  /**
   * Every row, in batches. Not a snapshot: what is written meanwhile is seen as before or as after. `collection` is the
   * build that is shown; the log has none.
   */
  batches(sources: Sources, collection: string): AsyncIterable<RowBatch>;
}

export interface RowBatch {
  /** Items that were read for it: documents, or records. */
  readonly read: number;
  /** Values in the order of the columns. */
  readonly rows: readonly (readonly Json[])[];
}

/** The ports that views are read from, of any adapter. */
export interface Sources {
  readonly documents: ReadDocuments;
  readonly log: Pick<Log, 'ends' | 'read'>;
  /** The topics of all read models, as the log names them. */
  readonly topics: readonly string[];
  /** The numbers of the monitor's rules. */
  readonly policy: Policy;
  readonly signal: AbortSignal;
}

/** A stored document: registers and view are read leniently, since other versions may have other ones. */
export interface Entry {
  readonly id: string;
  readonly body: unknown;
}

interface DocumentView extends Pick<SqlView, 'name' | 'meaning' | 'columns'> {
  readonly readModel: string;
  /** What the rows of one document are made of. */
  readonly items: (entry: Entry) => readonly object[];
}

/** A view that is made of documents. */
export function documentView({ items, ...view }: DocumentView): SqlView {
  const toRow = rowOf(view.columns);
  return {
    ...view,
    size: async ({ documents }, collection) => {
      const [all] = await documents.count(collection, { where: {}, by: [] });
      return all?.count ?? 0;
    },
    async *batches({ documents, signal }, collection) {
      for await (const batch of documents.scan(collection)) {
        if (signal.aborted) throw new StoppedError('stopped');
        yield { read: batch.length, rows: batch.flatMap(items).map(toRow) };
      }
    },
  };
}

/** Makes the row of an item: the values in the order of the columns. */
export function rowOf(columns: SqlView['columns']): (item: object) => readonly Json[] {
  const all = Object.entries(columns);
  return (item) => all.map(([name, { type, path = name }]) => fit(type, at(item, path)));
}
