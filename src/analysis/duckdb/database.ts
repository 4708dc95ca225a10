import { rmSync } from 'node:fs';

import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import type { Connection, DuckDb } from './load-module.ts';

/**
 * A database for one command: in memory, and past its bound in a folder of its own that goes when it is closed. It holds
 * a copy of what is asked about, so no SQL text reaches a store.
 */
export interface Database extends Disposable {
  readonly duckdb: DuckDb;
  readonly connection: Connection;
  /** From now on no statement reads or writes a file, opens a connection, loads an extension or changes a setting. */
  lock(): Promise<void>;
}

/** As DuckDB writes sizes; on disk is what does not fit in memory. */
const BOUNDS = { memory: '1GB', disk: '20GB' };

export async function openDatabase(duckdb: DuckDb, { memory, disk } = BOUNDS): Promise<Database> {
  const folder = makeTemporaryFolder('catalog-sql-');
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const instance = await duckdb.DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    });
    const connection = await instance.connect();
    const settings = {
      memory_limit: memory,
      temp_directory: folder,
      max_temp_directory_size: disk,
      allow_persistent_secrets: 'false',
      TimeZone: 'UTC',
    };
    for (const [name, value] of Object.entries(settings))
      await connection.run(`SET ${name} = ${quoted(value)}`);
    return {
      duckdb,
      connection,
      lock: async () => {
        await connection.run('SET enable_external_access = false');
        await connection.run('SET lock_configuration = true');
      },
      [Symbol.dispose]: () => {
        connection.closeSync();
        instance.closeSync();
        removeFolder();
      },
    };
  } catch (thrown) {
    removeFolder();
    throw thrown;
  }
}

/** A text literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The name of a table or column. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
