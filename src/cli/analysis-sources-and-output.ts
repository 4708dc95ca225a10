import { toCsv } from '../analysis/csv-and-ndjson.ts';
import type { Sources } from '../analysis/sql-view.ts';
import type { BuildView } from '../analysis/find-view.ts';
import { UsageError } from '../platform/errors.ts';
import type { Json } from '../platform/json-value.ts';
import type { Work } from './command.ts';
import { flag, textOption, type OptionValues } from './option-builders.ts';
import { printLines } from './output.ts';
import type { Progress } from './progress.ts';
import { writeLinesTo, writeWhole, type ManyLines } from './write-lines.ts';

/** What commands for analysts share: what views are read from, and where rows go. */

export function sourcesOf({ parts, signal }: Work): Sources {
  const { projections, topicName } = parts;
  const topics = [...new Set(projections.flatMap((projection) => projection.topics))].map(topicName);
  return {
    // Each is opened when it is read: a question about documents needs no log.
    get documents() {
      return parts.documents;
    },
    get log() {
      return parts.log;
    },
    topics,
    policy: parts.config.monitorPolicy,
    signal,
  };
}

/** Shows how many items of a view have been read, documents or records, as it is told of more. */
export async function countReading(
  { view, collection }: BuildView,
  sources: Sources,
  { update }: Progress,
): Promise<(items: number) => void> {
  const total = await view.size(sources, collection);
  const what = view.readModel === null ? 'records read' : 'documents read';
  let read = 0;
  return (items) => {
    read += items;
    update(what, read, Math.max(total, read));
  };
}

export const FILE = {
  out: textOption('<file>', 'write to a file, instead of standard output'),
  force: flag('replace a file that exists'),
};
export type FileOptions = OptionValues<typeof FILE>;

export const CSV = {
  rawCells: flag('CSV: no apostrophe before texts that a spreadsheet would compute'),
  bom: flag('CSV: begin the file with a byte order mark, for Excel; needs --out'),
};
export type CsvOptions = OptionValues<typeof CSV>;

/** @throws {UsageError} where they are given for something else. */
export function checkCsvOptions(isCsv: boolean, { rawCells, bom, out }: CsvOptions & FileOptions): void {
  if ((rawCells || bom) && !isCsv) throw new UsageError('--raw-cells and --bom are for CSV.');
  if (bom && out === undefined) throw new UsageError('--bom is for a file: name it with --out.');
}

/** Rows as CSV, below a heading. */
export async function* csvLines(
  columns: readonly string[],
  batches: AsyncIterable<readonly (readonly Json[])[]>,
  { rawCells, bom }: CsvOptions,
): AsyncGenerator<string> {
  const cells = rawCells ? 'raw' : 'guarded';
  yield `${bom ? BYTE_ORDER_MARK : ''}${toCsv(columns, cells)}`;
  for await (const rows of batches) for (const row of rows) yield toCsv(row, cells);
}

const BYTE_ORDER_MARK = '\ufeff';

/** Lines to the file that was named, exactly; else to standard output. */
export async function deliver(
  lines: ManyLines,
  { out, force = false }: FileOptions,
  signal: AbortSignal,
): Promise<void> {
  if (out === undefined) await printLines(lines, signal);
  else await writeWhole(out, { force }, (part) => writeLinesTo(part, lines, signal));
}
