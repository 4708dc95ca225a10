import type { Bindable, Row } from '../../../platform/sqlite-statements.ts';
import type { Removal, Stored, Write } from '../port.ts';

/** How documents of a collection are read and changed: statements over its tables. Changes are part of a transaction. */
export interface Tables {
  /** Rows for `storedOf`, of ids in a list of JSON. */
  readonly byIds: string;
  /** The same of one id. */
  readonly byId: string;
  /** The same by id, behind one. */
  readonly behind: string;
  /** Ids and versions, of ids in a list of JSON. */
  readonly versions: string;
  /** The version of an id. */
  readonly version: string;
  storedOf(row: Row): Stored<unknown>;
  /** Whether it was written: the document was absent, or had the version that was read. */
  write(write: Write<unknown>, run: Run): boolean;
  /** Whether it was there, of this version. */
  remove(removal: Removal, run: Run): boolean;
}

/** Runs a statement, and tells how many rows it changed. */
export type Run = (sql: string, ...values: readonly Bindable[]) => number;

/** What one read of a scan takes. */
export const SCANNED = 200;
