import type { Bindable } from '../../../platform/sqlite-statements.ts';
import type { SearchQuery } from '../port.ts';

export interface Selection {
  readonly sql: string;
  readonly values: readonly Bindable[];
}

/** Filters and exclusions, as conditions on `e`. */
export function selectionOf({
  filter: { kind, categories },
  exclude,
}: Pick<SearchQuery, 'filter' | 'exclude'>): Selection {
  const conditions: string[] = [];
  const values: Bindable[] = [];
  if (kind !== undefined) {
    conditions.push(' AND e.kind = ?');
    values.push(kind);
  }
  if (categories !== undefined) {
    conditions.push(' AND e.category IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(categories));
  }
  if (exclude.length > 0) {
    conditions.push(' AND e.id NOT IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(exclude));
  }
  return { sql: conditions.join(''), values };
}
