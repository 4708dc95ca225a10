import { type Database, openDatabase } from '../../analysis/duckdb/database.ts';
import { loadView } from '../../analysis/duckdb/load-view.ts';
import { loadDuckDb } from '../../analysis/duckdb/load-module.ts';
import { type Answer, ask, tablesIn } from '../../analysis/duckdb/query.ts';
import { type BuildView, describeViews, findView, VIEWS } from '../../analysis/find-view.ts';
import { UsageError } from '../../platform/errors.ts';
import { checkCsvOptions, countReading, CSV, FILE, sourcesOf } from '../analysis-sources-and-output.ts';
import { command, withParts, type Work } from '../command.ts';
import { argument, flag, integer } from '../option-builders.ts';
import { print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { fieldColumns, table } from '../table.ts';
import { deliverAnswer, printAnswer } from './query/print-answer.ts';

export const query = command({
  takes: {
    sql: argument('[sql]', 'one SELECT, in the dialect of DuckDB'),
    limit: integer('<rows>', 'rows that the table shows', [1, 100_000], 100),
    csv: flag('every row, as CSV'),
    ...CSV,
    ...FILE,
    views: flag('show the views and their columns instead'),
  },
  run: async ({ sql, views, ...options }, name) => {
    const { csv, json, out, limit } = options;
    if (views) return showViews(json === true);
    if (sql === undefined) throw new UsageError('Give one SELECT, or --views.');
    if (csv && json) throw new UsageError('Give --csv or --json, not both.');
    if (out !== undefined && !csv && !json) throw new UsageError('--out needs --csv or --json.');
    checkCsvOptions(csv === true, options);
    const duckdb = loadDuckDb();
    await withParts(name, 'read', async (work) => {
      using database = await openDatabase(duckdb);
      const answer = await answerTo(sql, database, work);
      if (csv || json) await deliverAnswer(answer, options, work.signal);
      else await printAnswer(answer, limit);
    });
  },
});

/** Loads what the text names, and asks. */
async function answerTo(sql: string, database: Database, work: Work): Promise<Answer> {
  const { documents } = work.parts;
  const named: Map<string, BuildView> = new Map();
  for (const name of await tablesIn(database, sql)) {
    const found = await findView(documents, name);
    if (found) named.set(found.name, found);
  }
  const sources = sourcesOf(work);
  for (const shown of named.values()) {
    using progress = showProgress();
    await loadView(database, shown, sources, await countReading(shown, sources, progress));
  }
  await database.lock();
  try {
    return await ask(database, sql, work.signal);
  } catch (thrown) {
    if (!(thrown instanceof UsageError) || !/Table with name/.test(thrown.message)) throw thrown;
    throw new UsageError(`${thrown.message} ${await describeViews(documents)}`, { cause: thrown });
  }
}

function showViews(json: boolean): void {
  const rows = VIEWS.flatMap(({ name: view, columns }) =>
    Object.entries(columns).map(([column, { type, meaning }]) => ({ view, column, type, meaning })),
  );
  if (json) printJson({ columns: rows });
  else print(table(fieldColumns('view', 'column', 'type', 'meaning'), rows));
}
