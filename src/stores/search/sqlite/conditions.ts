import type { WordCondition } from '../ranking/condition.ts';
import { COLUMNS } from './tables.ts';

/** A word as an expression of FTS5 (https://www.sqlite.org/fts5.html, section 3): between quotes nothing typed is an operator. Pure. */
export function expressionOf({ word, zone, form, begins }: WordCondition): string {
  return `${COLUMNS[zone][form]} : ${quoted(word)}${begins ? '*' : ''}`;
}

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
