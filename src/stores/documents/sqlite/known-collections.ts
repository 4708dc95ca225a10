import type { Bindable, Row } from '../../../platform/sqlite-statements.ts';
import { type Form, readForm } from './form.ts';
import { type CollectionTable, collectionTable } from './table.ts';

/** What is known of a collection. */
export interface Collection {
  readonly form: Form;
  readonly table: CollectionTable;
}

const EXISTS = 'SELECT 1 FROM collections WHERE name = ?';

/**
 * The collections of a file, as far as they were asked for. Whatever declares or drops one, in any process, changes the number
 * of the file's schema: it is asked for in the transaction that needs to know, and what was known of another one is forgotten.
 */
export class Collections {
  readonly #rows: (sql: string, ...values: readonly Bindable[]) => readonly Row[];
  #schema: unknown;
  readonly #known = new Map<string, Collection | null>();

  constructor(rows: (sql: string, ...values: readonly Bindable[]) => readonly Row[]) {
    this.#rows = rows;
  }

  /** Null where there is none of this name. Part of a transaction. */
  get(name: string): Collection | null {
    const schema = this.#rows('PRAGMA schema_version')[0]?.[0];
    if (schema !== this.#schema) this.#known.clear();
    this.#schema = schema;
    let known = this.#known.get(name);
    if (known === undefined) {
      known = this.#look(name);
      this.#known.set(name, known);
    }
    return known;
  }

  #look(name: string): Collection | null {
    if (this.#rows(EXISTS, name).length === 0) return null;
    const form = readForm(name, this.#rows);
    return { form, table: collectionTable(name, form.keys) };
  }
}
