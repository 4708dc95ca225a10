import { expect, onTestFinished, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import { createLogger } from '../../../../src/platform/logger.ts';
import { createAliasWatch, type AliasWatchParts } from '../../../../src/projecting/builds/alias-watch.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { LIVE, OTHER, openBuildsStage } from '../../../support/builds-stage.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const PAUSE = { token: 't', owner: 'command', builds: [LIVE] };

const stage = forEachTest(openBuildsStage);

function watching(overrides: Partial<AliasWatchParts> = {}) {
  const clock = createTestClock();
  const { documents } = stage;
  const logger = createLogger('silent', 'test');
  const watch = createAliasWatch({
    documents,
    names: ['notes'],
    clock,
    logger,
    onChange: async () => undefined,
    ...overrides,
  });
  onTestFinished(async () => watch[Symbol.asyncDispose]());
  return { watch, clock };
}

test('a pause stands for the builds that it names, and is found at once by whoever looks', async () => {
  const { watch } = watching();
  await watch.start();
  expect([watch.isLive(LIVE), watch.isLive(OTHER), watch.pauseOf(LIVE)]).toEqual([true, false, null]);
  await stage.change({ pause: { ...PAUSE, until: stage.clock.now() + 5000 } });
  await watch.look(LIVE);
  expect([watch.pauseOf(LIVE), watch.pauseOf(OTHER)]).toEqual(['t', null]);
});

test('whoever listens is told of each pause of its build once, until it listens no more', async () => {
  const { watch } = watching();
  const over = new AbortController();
  const told: string[] = [];
  for (const build of [LIVE, OTHER])
    watch.onPause(build, () => told.push(`${build} ${watch.pauseOf(build)}`), over.signal);
  await watch.start();
  const until = stage.clock.now() + 5000;
  await stage.change({ pause: { ...PAUSE, until } });
  await watch.look(LIVE);
  await stage.change({ pause: { ...PAUSE, until: until + 1 } });
  await watch.look(LIVE);
  expect(told).toEqual([`${LIVE} t`]);
  await stage.change({ pause: null });
  await watch.look(LIVE);
  await stage.change({ pause: { ...PAUSE, builds: [OTHER], token: 'next', until } });
  await watch.look(LIVE);
  expect(told).toEqual([`${LIVE} t`, `${OTHER} next`]);
  over.abort();
  await stage.change({ pause: { ...PAUSE, token: 'last', until } });
  await watch.look(LIVE);
  expect(told).toHaveLength(2);
});

test.each([
  {
    builds: [LIVE],
    of: 'the live build, which a command should have ended',
    said: ['a pause was not ended by its owner'],
  },
  { builds: [OTHER], of: 'the build before, for which it was to run out', said: [] },
])('a pause that its owner has left is ended, of $of: $said', async ({ builds, said }) => {
  const lines: string[] = [];
  const logger = createLogger('warn', 'test', { write: (line) => void lines.push(line) });
  const { watch, clock } = watching({ logger });
  await stage.change({ pause: { ...PAUSE, builds, until: stage.clock.now() - 1 } });
  const { token } = await stage.alias();
  await watch.start();
  await clock.pass(100);
  await expect.poll(() => watch.pauseOf(builds[0] ?? '')).toBeNull();
  // By a write that a late switch runs into.
  await expect
    .poll(stage.alias)
    .toMatchObject({ pause: null, token: expect.not.stringMatching(token) as string });
  expect(lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)).toEqual(said);
});

test('a pause that still stands is left alone', async () => {
  const { watch, clock } = watching();
  await stage.change({ pause: { ...PAUSE, until: stage.clock.now() + 5000 } });
  await watch.start();
  await clock.pass(100);
  await clock.sleeping(100);
  expect((await stage.alias()).pause).toMatchObject(PAUSE);
});

test('builds that could not be followed are followed at the next look', async () => {
  const told: string[][] = [];
  const { watch, clock } = watching({
    onChange: async (aliases) => {
      told.push(aliases.flatMap(({ beside }) => beside));
      if (told.length === 2) throw new RetryableError('not now');
    },
  });
  await watch.start();
  await stage.change({ beside: [] });
  await clock.pass(500);
  await expect.poll(() => told.length).toBe(2);
  await clock.pass(500);
  await expect.poll(() => told).toEqual([[OTHER], [], []]);
});

test('what it knows stays while the aliases cannot be read, and lanes that keep a pause keep it', async () => {
  let isDown = false;
  const documents = overriding(stage.documents, {
    versions: async (...asked) => {
      if (isDown) throw new RetryableError('down');
      return stage.documents.versions(...asked);
    },
  });
  const { watch, clock } = watching({ documents });
  await stage.change({ pause: { ...PAUSE, until: stage.clock.now() + 5000 } });
  await watch.start();
  isDown = true;
  await stage.change({ pause: null });
  await clock.pass(100);
  await clock.sleeping(100);
  expect(watch.pauseOf(LIVE)).toBe('t');
  isDown = false;
  clock.advance(100);
  await expect.poll(() => watch.pauseOf(LIVE)).toBeNull();
});
