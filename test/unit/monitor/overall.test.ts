import { describe, expect, test } from 'vitest';

import { decoded, targetRemoved } from '../../support/events.ts';
import {
  countedAt,
  FIRST,
  rounds,
  shownAt,
  statusAfter,
  statusOfRounds,
  target,
} from '../../support/monitor.ts';

describe('the overall state', () => {
  test('is unknown with a critical target that was never probed, since nobody knows when; the past stays as it was', () => {
    const events = [target('bot_api'), ...rounds('ooo')];
    const before = statusAfter(events, countedAt(2));
    const { state, since, text, uptime } = statusAfter([...events, target('client')], countedAt(2));
    expect({ state, since }).toEqual({ state: 'unknown', since: null });
    expect(text.en).toBe('The state is unknown: not every critical service is being checked.');
    expect(uptime).toEqual(before.uptime);
  });

  test('is said in Russian and in English', () => {
    const texts = ['oo', 'ww', 'ff', 'oo ---'].map((letters) => statusOfRounds(letters).text);
    expect(new Set(texts.map(({ en }) => en)).size).toBe(4);
    expect(new Set(texts.map(({ ru }) => ru)).size).toBe(4);
    for (const { ru, en } of texts) {
      expect(ru).toMatch(/^[А-ЯЁ]/);
      expect(en).toMatch(/^[A-Z]/);
    }
  });
});

test('a target that was removed leaves components and incidents, and no longer has a say', () => {
  const events = [
    target('bot_api'),
    target('client'),
    ...rounds('oooooo'),
    ...rounds('ooofff', { target: 'client' }),
  ];
  const now = countedAt(5);
  expect(statusAfter(events, now)).toMatchObject({ state: 'degraded', indicator: 'major' });
  const removed = decoded(targetRemoved({ subject: 'client', revision: 2 }));
  const body = statusAfter([...events, removed], now);
  expect(body).toMatchObject({ state: 'up', incidents: [], since: shownAt(1) });
  expect(body.components.map(({ id }) => id)).toEqual(['bot_api']);
  expect(statusAfter([removed, ...rounds('oo', { target: 'client', round: FIRST })], now).components).toEqual(
    [],
  );
});
