import { messageOf, PermanentError } from '../../platform/errors.ts';
import type { Sources } from '../sql-view.ts';
import type { BuildView } from '../sql-views.ts';
import { identifier, openDatabase, quoted } from './database.ts';
import { loadView } from './load-view.ts';
import { loadDuckDb } from './module.ts';

/** Writes a view to a Parquet file, which must not exist. Returns how many rows there are. */
export async function writeParquet(
  shown: BuildView,
  file: string,
  sources: Sources,
  onRead: (items: number) => void,
): Promise<number> {
  using database = await openDatabase(loadDuckDb());
  const rows = await loadView(database, shown, sources, onRead);
  try {
    await database.connection.run(
      `COPY ${identifier(shown.name)} TO ${quoted(file)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } catch (thrown) {
    throw new PermanentError(`${file} cannot be written: ${messageOf(thrown).split('\n', 1)[0]}`, {
      cause: thrown,
    });
  }
  return rows;
}
