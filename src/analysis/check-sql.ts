import { PermanentError, UsageError } from '../platform/errors.ts';
import functions from './table-functions.json' with { type: 'json' };

/**
 * What a SQL text may be: one SELECT (or FROM, WITH, VALUES, DESCRIBE, SUMMARIZE) that reads tables and calls table
 * functions which only compute. Held against DuckDB's own parse of the text, before anything of it is bound or run:
 * some table functions change how DuckDB runs, whatever was locked (`enable_logging`).
 */

/** They compute rows from their arguments, or tell of the tables. Every other one is refused, also those of the future. */
const TABLE_FUNCTIONS = new Set(functions);

/**
 * The names of the tables in a parsed text, as they are written; those of its common table expressions too.
 * @param serialized - What DuckDB's `json_serialize_sql` made of the text.
 * @throws {UsageError} where the text is not what it may be.
 */
export function tablesOf(serialized: string): ReadonlySet<string> {
  const parsed = parse(serialized);
  if (parsed.error) {
    const told = (parsed.error_message ?? '').split('\n', 1)[0] ?? '';
    if (parsed.error_type === 'not implemented') throw new UsageError(ONE_SELECT);
    throw new UsageError(`SQL: ${told}.`);
  }
  if (parsed.statements?.length !== 1) throw new UsageError(ONE_SELECT);
  const tables = new Set<string>();
  collect(parsed.statements, tables);
  return tables;
}

export const ONE_SELECT = 'A query is one SELECT: it reads views, and changes nothing.';

interface ParseResult {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  readonly statements?: readonly unknown[];
}

function parse(serialized: string): ParseResult {
  // Numbers that JSON does not have: only names are looked at here.
  const json = serialized.replace(/:(-?)(?:Infinity|NaN|inf|nan)\b/g, ':null');
  try {
    return JSON.parse(json) as ParseResult;
  } catch (thrown) {
    throw new PermanentError('DuckDB has parsed the SQL text, and its answer cannot be read.', {
      cause: thrown,
    });
  }
}

/** Goes through the tree without recursion: a text may be nested deeper than the stack. */
function collect(statements: readonly unknown[], tables: Set<string>): void {
  const open: unknown[] = [...statements];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    if ('type' in node && node.type === 'BASE_TABLE' && 'table_name' in node)
      tables.add(String(node.table_name));
    if ('type' in node && node.type === 'TABLE_FUNCTION') checkFunction(node);
    for (const inner of Object.values(node)) open.push(inner);
  }
}

function checkFunction(node: object): void {
  const called = 'function' in node && typeof node.function === 'object' ? node.function : null;
  const name = called && 'function_name' in called ? String(called.function_name) : 'of that kind';
  if (TABLE_FUNCTIONS.has(name.toLowerCase())) return;
  throw new UsageError(
    `A query reads the views alone: it may not call the table function ${name}. It may call ${[...TABLE_FUNCTIONS].join(', ')}.`,
  );
}
