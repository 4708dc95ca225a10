import type { Condition, WordCondition } from '../ranking/condition.ts';
import { COLUMNS } from './tables.ts';

/**
 * A condition as an expression of FTS5 (https://www.sqlite.org/fts5.html, section 3); null where it asks for more than
 * words. Everything typed stands between quotes, so nothing of it is an operator. Pure.
 */
export function expressionOf(condition: Condition): string | null {
  if ('word' in condition) return wordIn(condition);
  if ('that' in condition) {
    const [that, except] = [condition.that, condition.except].map(expressionOf);
    return that && except ? `(${that} NOT ${except})` : null;
  }
  const [parts, operator] =
    'all' in condition ? [condition.all, ' AND '] : 'any' in condition ? [condition.any, ' OR '] : [[], ''];
  const expressions = parts.map(expressionOf);
  const known = [...new Set(expressions.filter((one) => one !== null))];
  return known.length === 0 || expressions.includes(null) ? null : `(${known.join(operator)})`;
}

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function wordIn({ word, zone, form, begins }: WordCondition): string {
  return `(${COLUMNS[zone][form]} : ${quoted(word)}${begins ? '*' : ''})`;
}
