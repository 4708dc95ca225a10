import { expect, test } from 'vitest';

import { englishOf } from '../../../src/operating/words/finding-words.ts';
import { explainHalt, laneName, type Halt } from '../../../src/projecting/engine/lane.ts';

const LANE = { readModel: 'listings@1', topic: 'catalog.entries', partition: 0 };

test.each<Halt>([
  { reason: 'gap', from: 3, to: 9 },
  { reason: 'log_younger', position: 9, latest: 4 },
  { reason: 'log_replaced', position: 9, time: 0, found: 8.64e15 + 1 },
])('a halt is told in the words of the projector that halted: $reason', (halt) => {
  const subject = laneName(LANE);
  const said = englishOf({ severity: 'problem', subject, code: 'halted', halt, reason: null });
  expect(`${subject}: ${said}`).toBe(explainHalt(LANE, halt));
});
