import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { ENTRIES, type PublishedData, type UnpublishedData } from '../../../src/events/entries.ts';
import { METRICS, type MeasuredData } from '../../../src/events/metrics.ts';
import type { CatalogEvent } from '../../../src/events/event.ts';
import { TOPICS } from '../../../src/events/types.ts';
import { arbitraryEvent, arbitraryHistory } from '../../support/arbitrary-events.ts';
import { decoded } from '../../support/events.ts';

/** The laws are worth what their events are: these must be valid, and must collide. */

function sample(topics: readonly string[]): readonly CatalogEvent[] {
  return fc.sample(arbitraryEvent(topics), { numRuns: 2000, seed: 1 }).map(decoded);
}

/** How many groups of events that share `by` hold at least two that differ in `what`. */
function collisions(
  events: readonly CatalogEvent[],
  by: (event: CatalogEvent) => string,
  what: (event: CatalogEvent) => string,
) {
  const groups = Map.groupBy(events, by);
  return [...groups.values()].filter((group) => new Set(group.map(what)).size > 1).length;
}

test('generated events of every topic are valid', () => {
  const topics = TOPICS.map(({ name }) => name).filter((name) => name !== 'catalog.rejected');
  expect(topics.map((topic) => sample([topic]).length)).toEqual([2000, 2000, 2000, 2000, 2000]);
});

test('generated entries tie: one revision with other contents, and published beside unpublished', () => {
  const events = sample([ENTRIES]);
  const revision = (event: CatalogEvent) =>
    `${event.subject} ${(event.data as PublishedData | UnpublishedData).revision}`;
  expect(collisions(events, revision, (event) => event.digest)).toBe(12);
  expect(collisions(events, revision, (event) => event.type)).toBe(12);
  const ofData = (event: CatalogEvent) => JSON.stringify([event.type, event.subject, event.data]);
  expect(collisions(events, ofData, (event) => event.digest)).toBeGreaterThan(0);
});

test('generated measurements cover several kinds under one slug, and 120 days', () => {
  const events = sample([METRICS]);
  const data = (event: CatalogEvent) => event.data as MeasuredData;
  const moment = (event: CatalogEvent) => `${event.subject} ${data(event).kind} ${data(event).measured_at}`;
  expect(collisions(events, moment, (event) => event.digest)).toBeGreaterThan(100);
  expect(
    collisions(
      events,
      (event) => event.subject,
      (event) => data(event).kind,
    ),
  ).toBe(3);
  expect(new Set(events.map((event) => data(event).measured_at.slice(0, 10))).size).toBeGreaterThan(110);
});

test('generated histories repeat events', () => {
  const histories = fc.sample(arbitraryHistory([ENTRIES]), { numRuns: 100, seed: 1 });
  expect(histories.some((history) => new Set(history.map(({ id }) => id)).size < history.length)).toBe(true);
});
