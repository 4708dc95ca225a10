import type { Log } from '../events/log/port.ts';
import type { Policy } from '../monitor/policy.ts';
import type { ReadDocuments } from '../stores/time-limit.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import type { Json } from '../platform/json.ts';
import { parseInstant } from '../platform/time/instant.ts';

/** `time` is an instant, `day` a UTC day, `texts` a list of texts, `json` any JSON value. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'day' | 'texts' | 'json';

/** Of what analysts read. It has one type, and whatever does not fit it is shown as nothing. */
export interface Column {
  readonly type: ColumnType;
  /** For people, in a sentence; Markdown. */
  readonly meaning: string;
  /** Where the value stands in what a row is made of: keys joined with dots. Default: under the column's own name. */
  readonly path?: string;
}

export function column(type: ColumnType, meaning: string, path?: string): Column {
  return { type, meaning, ...(path === undefined ? {} : { path }) };
}

/**
 * The value where it fits the column, else null: an instant is RFC 3339 in UTC with milliseconds, a day `YYYY-MM-DD`. Builds of other versions are shown too, and their documents may be of
 * another form: a column that they do not have is empty there.
 */
export function fit(type: ColumnType, value: unknown): Json {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : null;
    case 'integer':
      return Number.isSafeInteger(value) ? (value as number) : null;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'time':
      return typeof value === 'string' ? parseInstant(value) : null;
    case 'day':
      return typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : null;
    case 'texts':
      return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : null;
    case 'json':
      return value as Json;
  }
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** What stands in a value under keys joined with dots; undefined where nothing does. */
export function at(whole: unknown, path: string): unknown {
  let value = whole;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

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
