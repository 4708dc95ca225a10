import { afterAll, beforeAll, describe } from 'vitest';

import type { LogFixture } from '../support/log-fixture.ts';
import { logGroupsContract } from './log-groups.ts';
import { logReadingContract } from './log-reading.ts';
import { logRecordsContract } from './log-records.ts';

/**
 * The contract of the log port. Every adapter runs all of it, on a storage that `create` makes once for the suite.
 */
export function logContract(name: string, create: () => Promise<LogFixture>): void {
  describe(`the ${name} log`, () => {
    let created: LogFixture | undefined;
    const fixture = (): LogFixture => {
      if (!created) throw new Error('The storage is made before the first test');
      return created;
    };
    beforeAll(async () => {
      created = await create();
    });
    afterAll(() => created?.[Symbol.asyncDispose]());

    logRecordsContract(fixture);
    logReadingContract(fixture);
    logGroupsContract(fixture);
  });
}
