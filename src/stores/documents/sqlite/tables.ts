import type { Bindable, Row } from '../../../platform/sqlite-statements.ts';
import type { Removal, Stored, Write } from '../port.ts';

/** How documents of a collection are read and changed: statements over its tables. Changes are part of a transaction. */
export interface Tables {
  readonly whole: Reading;
  /** Reads these keys of bodies alone. */
  readonly part: (keys: readonly string[]) => Reading;
  /** Ids and versions, of ids in a list of JSON. */
  readonly versions: string;
  /** The version of an id. */
  readonly version: string;
  /** The keys that are written alone where a write says so (`Write.only`); with any other, its body has to be whole. */
  readonly alone: { has(key: string): boolean };
  /** Whether it was written: the document was absent, or had the version that was read. */
  write(write: Write<unknown>, run: Run): boolean;
  /** Whether it was there, of this version. */
  remove(removal: Removal, run: Run): boolean;
}

/** How documents are read. */
export interface Reading extends ReadingSql {
  readonly storedOf: (row: Row) => Stored<unknown>;
}

/** What selects the rows that documents are made of. */
export interface ReadingSql {
  /** Of ids in a list of JSON. */
  readonly byIds: string;
  /** Of one id. */
  readonly byId: string;
  /** By id, behind one. */
  readonly behind: string;
}

/** Runs a statement, and tells how many rows it changed. */
export type Run = (sql: string, ...values: readonly Bindable[]) => number;

/** What one read of a scan takes. */
export const SCANNED = 200;
