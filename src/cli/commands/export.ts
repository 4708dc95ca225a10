import { stat } from 'node:fs/promises';

import { writeParquet } from '../../analysis/duckdb/load-view.ts';
import { toNdjson } from '../../analysis/csv-and-ndjson.ts';
import type { Sources } from '../../analysis/sql-view.ts';
import { viewNamed, VIEWS, type BuildView } from '../../analysis/find-view.ts';
import { UsageError } from '../../platform/errors.ts';
import { counted, number } from '../../texts/english-amounts.ts';
import {
  checkCsvOptions,
  countReading,
  csvLines,
  CSV,
  FILE,
  deliver,
  sourcesOf,
  type CsvOptions,
  type FileOptions,
} from '../analysis-sources-and-output.ts';
import { command, withParts } from '../command.ts';
import { writeWhole } from '../write-lines.ts';
import { argument, choice } from '../option-builders.ts';
import { note, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';

const FORMATS = ['ndjson', 'csv', 'parquet'] as const;

type Options = FileOptions & CsvOptions & { readonly format: (typeof FORMATS)[number] };

const exportView = command({
  takes: {
    view: argument('<view>', `${VIEWS.map(({ name }) => name).join(', ')}; or of one build: listings@2-b2`),
    format: choice('<format>', 'how it is written', FORMATS, 'ndjson'),
    ...CSV,
    ...FILE,
  },
  run: async ({ view, json, ...options }, name) => {
    const { format, out } = options;
    if (format === 'parquet' && out === undefined)
      throw new UsageError('Parquet is a file: name it with --out.');
    if (json && out === undefined)
      throw new UsageError('--json tells of a file: name it with --out. Rows as JSON are --format ndjson.');
    checkCsvOptions(format === 'csv', options);
    await withParts(name, 'read', async (work) => {
      const shown = await viewNamed(work.parts.documents, view);
      const rows = await write(shown, sourcesOf(work), options);
      if (out === undefined) return;
      const { size: bytes } = await stat(out);
      if (json) printJson({ view: shown.name, format, file: out, rows, bytes });
      else note(`${counted(rows, 'row')} of ${shown.name} in ${out} (${number(bytes)} bytes).`);
    });
  },
});

export { exportView as export };

/** Returns how many rows there were. */
async function write(shown: BuildView, sources: Sources, options: Options): Promise<number> {
  const { format, out = '', force = false } = options;
  using progress = showProgress();
  const onRead = await countReading(shown, sources, progress);
  if (format === 'parquet') {
    return writeWhole(out, { force }, (part) => writeParquet(shown, part, sources, onRead));
  }
  const { view, collection } = shown;
  const columns = Object.keys(view.columns);
  let written = 0;
  await deliver(format === 'csv' ? csvLines(columns, batches(), options) : json(), options, sources.signal);
  return written;

  async function* json() {
    const toLine = toNdjson(columns);
    for await (const rows of batches()) for (const row of rows) yield toLine(row);
  }

  async function* batches() {
    for await (const { read, rows } of view.batches(sources, collection)) {
      yield rows;
      written += rows.length;
      onRead(read);
    }
  }
}
