import { describe } from 'vitest';

import type { LogFixture } from '../support/log-fixture.ts';
import { logGroupsContract } from './log-groups.ts';
import { logReadingContract } from './log-reading.ts';
import { logRecordsContract } from './log-records.ts';
import { forAllTests } from '../support/for-each-test.ts';

/**
 * The contract of the log port. Every adapter runs all of it, on a storage that `create` makes once for the suite.
 */
export function logContract(name: string, create: () => Promise<LogFixture>): void {
  describe(`the ${name} log`, () => {
    const created = forAllTests(create);
    const fixture = (): LogFixture => created;

    logRecordsContract(fixture);
    logReadingContract(fixture);
    logGroupsContract(fixture);
  });
}
