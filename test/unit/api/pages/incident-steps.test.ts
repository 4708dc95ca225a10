import { expect, test } from 'vitest';

import type { Assets } from '../../../../src/api/pages/shell/assets.ts';
import { pageContextAt } from '../../../../src/api/pages/shell/page-context.ts';
import { toldIncidents } from '../../../../src/api/pages/status/incident-texts.ts';
import type { Status } from '../../../../src/monitor/status-schema.ts';
import type { Transition } from '../../../../src/monitor/machine-state.ts';
import { DEFAULT_POLICY } from '../../../../src/monitor/policy.ts';
import { timelinesOf, type Timelines } from '../../../../src/monitor/timelines.ts';
import {
  countedAt,
  FIRST,
  inTime,
  MINUTE,
  rounds,
  statusAfter,
  target,
  watched,
} from '../../../support/monitor.ts';

const assets: Assets = { nameOf: (file) => file, find: () => undefined };
const context = pageContextAt('/en/status', {
  locale: 'en',
  publicUrl: 'https://catalog.example',
  assets,
  hasAccounts: false,
  isSample: false,
});
const WORDS = Object.entries(context.shell.pages.status.became);

/** Of each incident, the changes of state that its steps tell, the oldest first, with the round after which each came. */
function changesTold(status: Parameters<typeof toldIncidents>[0], timelines: Timelines): readonly string[] {
  return toldIncidents(status, timelines, context).map(({ steps }) =>
    steps
      .toReversed()
      .flatMap(({ at, text }) => {
        const state = WORDS.find(([, word]) => word === text)?.[0];
        return state ? [`${state} ${(Date.parse(at) - countedAt(0)) / MINUTE}`] : [];
      })
      .join(', '),
  );
}

test('the steps of an incident tell all its changes, those after it was opened again too, and none of the next one', () => {
  const letters = 'ooo fff oo fff oooooooooo fff oo';
  const events = [target('bot_api'), ...rounds(letters)];
  const now = countedAt(letters.replaceAll(' ', '').length - 1);
  const timelines = timelinesOf(watched(events), now, DEFAULT_POLICY, inTime(now));
  expect(changesTold(statusAfter(events, now), timelines)).toEqual([
    'down 23, up 25',
    'down 5, up 7, down 10, degraded 12, up 20',
  ]);
});

test('those of an incident of two components end for each at its last recovery in it', () => {
  const at = (round: number) => new Date((FIRST + round) * MINUTE).toISOString();
  const status = statusAfter([target('bot_api'), target('client')], countedAt(0));
  const incident: Status['incidents'][number] = {
    id: 'both',
    state: 'resolved',
    severity: 'down',
    components: ['bot_api', 'client'],
    cause: null,
    started_at: at(1),
    detected_at: at(3),
    resolved_at: at(12),
    duration_s: 660,
  };
  const changes = (...told: readonly (readonly [Transition['state'], number])[]) => ({
    days: [],
    latency: [],
    transitions: told.map(([state, index]) => ({ state, at: countedAt(index) })),
  });
  const components = new Map([
    ['bot_api', changes(['down', 3], ['up', 5], ['down', 8], ['up', 10], ['down', 40], ['up', 43])],
    ['client', changes(['up', 0], ['down', 4], ['up', 13], ['down', 50])],
  ]);
  const later = { ...incident, id: 'later', detected_at: at(40), resolved_at: null };
  const told = changesTold({ ...status, incidents: [later, incident] }, { components, core: null });
  expect(told[1]).toBe('down 3, down 4, up 5, down 8, up 10, up 13');
});
