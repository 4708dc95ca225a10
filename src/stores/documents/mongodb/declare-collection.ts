import { MongoNetworkTimeoutError } from 'mongodb';

import { PermanentError } from '../../../platform/errors.ts';
import type { Index } from '../port.ts';
import { orderOf } from '../check-query.ts';
import type { MongoConnection } from './connect-and-retry.ts';
import { codeOf } from './error-codes.ts';
import { sortOf } from './queries.ts';

/** IndexOptionsConflict and IndexKeySpecsConflict. */
const INDEX_CONFLICTS: ReadonlySet<number> = new Set([85, 86]);

export function otherOptionsError(name: string, index: Index, cause?: unknown): PermanentError {
  return new PermanentError(
    `The collection ${name} needs an index [${index.join(', ')}], and has one like it with other options. Drop that one; the next start makes it again.`,
    { cause },
  );
}

/** How often a call waits for the same index again, each time for the socket's timeout: building may take an hour. */
const BUILD_ATTEMPTS = 360;

export async function buildIndexes(
  connection: MongoConnection,
  name: string,
  indexes: readonly Index[],
): Promise<void> {
  const specs = indexes.map((paths) => ({ key: sortOf(orderOf(paths)), name: paths.join(',') }));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connection.attempt(async (db) => {
        await db.collection(name).createIndexes(specs);
      });
    } catch (thrown) {
      const cause = thrown instanceof Error ? thrown.cause : undefined;
      if (INDEX_CONFLICTS.has(codeOf(cause) ?? 0)) throw otherOptionsError(name, indexes[0] ?? [], cause);
      if (!(cause instanceof MongoNetworkTimeoutError) || attempt === BUILD_ATTEMPTS) throw thrown;
    }
  }
}
