import { describe, test } from 'vitest';

import { LAW_CASES, LAWS } from '../support/laws.ts';
import { SUBJECTS } from './subjects.ts';

describe.each(SUBJECTS)('$projection.name', (subject) => {
  test.each(LAWS)('$title', (law) => {
    law.hold(subject, LAW_CASES);
  });
});
