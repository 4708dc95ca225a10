import { describe, test } from 'vitest';

import { monitorView } from '../../projections/monitor/document.ts';
import { monitor } from '../../projections/monitor/index.ts';
import { arbitraryHistory } from '../support/arbitrary-events.ts';
import { decoded } from '../support/events.ts';
import { LAW_CASES, LAWS } from '../support/laws.ts';

describe('monitor', () => {
  const events = arbitraryHistory(monitor.topics).map((history) => history.map(decoded));

  test.each(LAWS)('$title', (law) => {
    law.hold({ projection: monitor, view: monitorView, events }, LAW_CASES);
  });
});
