import { expect, test } from 'vitest';

import { stillHolds, type Preview } from '../../../src/operations/act-preview.ts';
import type { Version } from '../../../src/operations/list-builds.ts';

const build = (changed: Partial<Version> = {}): Version => ({
  read_model: 'listings',
  build: 'listings@2',
  state: 'ready',
  rollback: false,
  documents: 10,
  parked: 0,
  records: 10,
  fold: 'digest-2',
  began_at: '2026-01-01T00:00:00.000Z',
  complete_since: '2026-01-02T00:00:00.000Z',
  verified_at: null,
  digest: null,
  servers: 1,
  ...changed,
});
const live = build({ build: 'listings@1' });
const cutOver: Preview = { kind: 'cut_over', from: live, to: build(), obstacle: null };
const all: Preview = {
  kind: 'redrive_all',
  topic: 'catalog.entries',
  code: 'bad_data',
  events: 5,
  builds: [{ build: 'listings@1', count: 5 }],
};
const one: Preview = { kind: 'redrive', code: 'bad_data', reason: 'a', redrives: 0, builds: ['listings@1'] };

test.each<[string, Preview, Preview | null]>([
  ['another build is live', cutOver, { ...cutOver, from: build({ build: 'listings@3' }) }],
  ['a build of the same name was begun anew', cutOver, { ...cutOver, to: build({ began_at: null }) }],
  ['something stands in the way', cutOver, { ...cutOver, obstacle: { code: 'not_complete' } }],
  ['the build is gone', cutOver, null],
  ['fewer events are parked', all, { ...all, events: 4 }],
  ['another build has parked some', all, { ...all, builds: [{ build: 'listings@2', count: 5 }] }],
  ['somebody has redriven it in vain', one, { ...one, redrives: 1 }],
  ['it is refused for another reason', one, { ...one, code: 'fold_failed' }],
  ['it is another act', cutOver, one],
])('what was shown holds no more where %s', (_what, shown, now) => {
  expect(stillHolds(shown, now)).toBe(false);
});

test.each<[string, Preview, Preview]>([
  ['documents have arrived', cutOver, { ...cutOver, to: build({ documents: 11 }) }],
  ['more events were parked', all, { ...all, events: 6, builds: [{ build: 'listings@1', count: 6 }] }],
  ['nothing has changed', one, { ...one }],
])('what was shown still holds where %s', (_what, shown, now) => {
  expect(stillHolds(shown, now)).toBe(true);
});
