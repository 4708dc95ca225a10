import { describe, expect, test } from 'vitest';

import type { CloudEvent } from '../../../../src/events/envelope.ts';
import { publishable } from '../../../../src/events/publishable.ts';
import { sha256 } from '../../../../src/platform/canonical.ts';
import { simulatedHistory, type HistoryOptions } from '../../../../src/sample/simulated/history.ts';

const END = '2026-01-01T00:00:00.000Z';
const OPTIONS: HistoryOptions = { entries: 400, days: 3, events: 20_000, seed: 1, endMs: Date.parse(END) };
const START = '2025-12-29T00:00:00.000Z';

const events = [...simulatedHistory(OPTIONS)];
const lines = events.map((event) => JSON.stringify(event));
const entryEvents = ofTypes('catalog.entry.published.v1', 'catalog.entry.unpublished.v1');

function ofTypes(...types: readonly string[]): readonly CloudEvent[] {
  return events.filter(({ type }) => types.includes(type));
}

function bytesOf(changed: Partial<HistoryOptions>): string {
  return JSON.stringify([...simulatedHistory({ ...OPTIONS, entries: 50, events: 2000, ...changed })]);
}

describe('a simulated history', () => {
  test('has the same bytes for the same options, and others for any other', () => {
    const bytes = bytesOf({});
    expect(bytesOf({})).toBe(bytes);
    const others = [
      bytesOf({ seed: 2 }),
      bytesOf({ entries: 51 }),
      bytesOf({ days: 4 }),
      bytesOf({ endMs: OPTIONS.endMs + 60_000 }),
    ];
    for (const other of others) expect(other === bytes).toBe(false);
  });

  test('has bytes that are known, so the same on every machine', () => {
    expect(sha256(lines.join('\n'))).toMatchInlineSnapshot(`"qqPlTTcQ5u_kad6RiO4WSTSOBmGphh-e-0TyNzx-1Rc"`);
  });

  test.each([
    [1, 1, 39],
    [1, 1, 3000],
    [3, 1, 20_000],
  ])('of %i entries over %i days has exactly %i events', (entries, days, count) => {
    expect([...simulatedHistory({ ...OPTIONS, entries, days, events: count })]).toHaveLength(count);
  });

  test('has nothing but lines that can be published, with no field that the schemas do not know', () => {
    const refused = lines
      .map((line) => ({ line, result: publishable(Buffer.from(line), Date.parse(END)) }))
      .filter(({ result }) => result.outcome === 'invalid' || result.unknownPaths.length > 0);
    expect(refused).toEqual([]);
  });

  test('is in order of time, within its days, and names each event once', () => {
    const times = events.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    expect(times[0]).toBe(START);
    expect((times.at(-1) ?? '') < END).toBe(true);
    expect(new Set(events.map(({ source, id }) => `${source} ${id}`)).size).toBe(events.length);
  });

  test('links to nobody', () => {
    const hosts = lines.join('\n').match(/https:\/\/[^/"]+/g) ?? [];
    expect(hosts.length).toBeGreaterThan(300);
    expect(hosts.filter((host) => !host.endsWith('.example'))).toEqual([]);
  });

  test('tells of an entry nothing before its first publish, and its revisions rise by one', () => {
    const revisions = new Map<string, number>();
    for (const { subject, data } of entryEvents) {
      expect(data['revision']).toBe((revisions.get(subject) ?? 0) + 1);
      revisions.set(subject, Number(data['revision']));
    }
    const known = new Set<string>();
    const early: CloudEvent[] = [];
    for (const event of events.filter(({ type }) => type.startsWith('catalog.entry'))) {
      if (event.type === 'catalog.entry.published.v1') known.add(event.subject);
      if (!known.has(event.subject)) early.push(event);
    }
    expect(early).toEqual([]);
  });
});

describe('a simulated year', () => {
  const DAY_MS = 86_400_000;
  const year = (endMs: number) => [
    ...simulatedHistory({ entries: 10, days: 365, events: 500, seed: 1, endMs, isYear: true }),
  ];
  const endMs = OPTIONS.endMs;
  const all = year(endMs);
  const isProbe = ({ type }: CloudEvent): boolean => type === 'monitor.probe.completed.v1';

  test('is as long as asked for, in order of time, with probes of its last 90 days on top', () => {
    const times = all.map(({ time }) => Date.parse(time));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBe(endMs - 365 * DAY_MS);
    expect(all.filter((event) => !isProbe(event))).toHaveLength(500);
    const rounds = all.filter(isProbe).map(({ data }) => Number(data['round']));
    const first = endMs / 60_000 - 90 * 1440;
    expect(new Set(rounds.filter((round) => round % 3 === 0)).size).toBe(30 * 1440);
    expect(Math.min(...rounds.slice(0, 9))).toBeGreaterThanOrEqual(first);
  });

  test('tells the same of the same entries on whatever day it ends', () => {
    const told = (some: readonly CloudEvent[], end: number) =>
      some
        .filter(({ type }) => type.startsWith('catalog.entry.'))
        .map(({ type, subject, time }) => [type, subject, end - Date.parse(time)]);
    const later = endMs + 12 * DAY_MS + 17 * 60_000;
    expect(told(year(later), later)).toEqual(told(all, endMs));
  });
});
