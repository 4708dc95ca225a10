import type { Log } from '../events/log/port.ts';
import type { Policy } from '../monitor/policy.ts';
import type { ReadDocuments } from '../stores/time-limit.ts';
import type { Json } from '../platform/json-value.ts';
import type { Columns } from './column.ts';
import views from './views/views.json' with { type: 'json' };

/** What analysts read: rows of named columns, made from the documents of a build or from the log. */
export interface SqlView extends Definition {
  /** As it is written in SQL. */
  readonly name: string;
  /** How many items there are to read, about; for progress. */
  size(sources: Sources, collection: string): Promise<number>;
  /**
   * Every row, in batches. Not a snapshot: what is written meanwhile is seen as before or as after. `collection` is the
   * build that is shown; the log has none.
   */
  batches(sources: Sources, collection: string): AsyncIterable<RowBatch>;
}

/** What `views.json` says of a view. */
interface Definition {
  /** What a row is; Markdown. */
  readonly meaning: string;
  /** Whose documents it shows; null for the log. */
  readonly readModel: string | null;
  readonly columns: Columns;
}

export function definitionOf<Name extends keyof typeof views>(name: Name) {
  return { name, ...(views as Readonly<Record<Name, Definition>>)[name] };
}

interface RowBatch {
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
