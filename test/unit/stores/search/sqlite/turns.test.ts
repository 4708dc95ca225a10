import { expect, test } from 'vitest';

import { DatabaseSync } from '../../../../../src/platform/sqlite.ts';
import { allowTurns, inTurns } from '../../../../../src/stores/search/sqlite/turns.ts';

test('a statement that looks at many rows gives way between them, and leaves none out', () => {
  using database = new DatabaseSync(':memory:');
  let turns = 0;
  allowTurns(database, () => (turns += 1));
  const numbers = 'WITH RECURSIVE some (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM some WHERE n < 1000)';
  const found = database.prepare(`${numbers} SELECT n FROM some WHERE ${inTurns('n')}`).all();
  expect(found.map(({ n }) => n)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1));
  expect(turns).toBe(7);
});
