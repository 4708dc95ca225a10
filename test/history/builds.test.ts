import { expect, test } from 'vitest';

import { listings } from '../../projections/listings/index.ts';
import type { Parts } from '../../src/compose/parts.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import { untilComplete } from '../../src/operations/begin-and-watch-build.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { changeAlias } from '../../src/stores/aliases.ts';
import { LISTINGS } from '../support/collections.ts';
import { published } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';
import { overriding } from '../support/overriding.ts';
import { openRelease, startRelease, untilComplete as untilThere } from '../support/releases.ts';
import { runHere } from '../support/run-here.ts';

const SECOND = `${LISTINGS}-b2`;

/** A projector on a folder with one entry, and the commands of its release. */
async function stage(change: (parts: Parts) => Parts = (parts) => parts) {
  const env = { CATALOG_DATA: temporaryFolder() };
  const parts = await openRelease(env);
  await startRelease(change(parts));
  await parts.log.append([structuredRecord(published())]);
  await untilThere(parts, LISTINGS);
  return { parts, catalog: (...args: string[]) => runHere(args, env) };
}

/** The states of the builds of listings, by name. */
async function versions(catalog: (...args: string[]) => ReturnType<typeof runHere>) {
  const { builds } = JSON.parse((await catalog('builds', 'list', '--json')).stdout) as {
    readonly builds: readonly Record<string, unknown>[];
  };
  const own = builds.filter((build) => build['read_model'] === 'listings');
  return Object.fromEntries(own.map((build) => [build['build'], build['state']]));
}

test('a read model is rebuilt, made live, gone back to, and what is left is dropped', async () => {
  const { parts, catalog } = await stage();
  const rebuilt = await catalog('builds', 'rebuild', 'listings', '--cut-over', '--json');
  expect(rebuilt.code, rebuilt.stderr).toBe(0);
  expect(JSON.parse(rebuilt.stdout)).toMatchObject({
    read_model: 'listings',
    build: SECOND,
    live: SECOND,
    from: LISTINGS,
    records: 1,
    documents: 1,
    parked: 0,
  });
  expect(await versions(catalog)).toEqual({ [SECOND]: 'live', [LISTINGS]: 'before' });
  const shown = JSON.parse((await catalog('builds', 'list', '--json')).stdout) as object;
  expect(shown).toMatchObject({
    builds: [{ build: SECOND, fold: expect.stringMatching(/^\S{20,}$/) }, {}, {}, {}],
  });
  const both = await catalog('verify');
  expect(both).toMatchObject({ code: 0 });
  for (const build of [LISTINGS, SECOND]) expect(both.stdout).toContain(`${build}  ok: all documents equal`);
  const one = await catalog('verify', '--build', SECOND);
  expect(one.stdout).not.toContain(`${LISTINGS}  ok`);
  expect(await catalog('verify', '--build', 'listings@77')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no build listings@77. There are') as string,
  });
  const status = await catalog('status');
  for (const build of [LISTINGS, SECOND]) expect(status.stdout).toMatch(new RegExp(`^${build} `, 'm'));
  const traced = await catalog('trace', 'ai-news');
  expect(traced.stdout.match(/in_force/g)).toHaveLength(2);

  expect(await catalog('builds', 'drop', SECOND)).toMatchObject({ code: 1, stdout: '' });
  expect(await catalog('builds', 'roll-back', 'listings')).toMatchObject({
    code: 0,
    stdout: `${LISTINGS} is live.\n`,
  });
  await changeAlias(parts.documents, 'listings', (alias) => alias && { ...alias, switches: [] });
  expect(await catalog('builds', 'drop', SECOND)).toMatchObject({ code: 0, stdout: `${SECOND} is gone.\n` });
  expect(await versions(catalog)).toEqual({ [LISTINGS]: 'live' });
  expect(await parts.documents.collections()).not.toContain(SECOND);
});

test('commands on builds say in one line what there is not', async () => {
  const { catalog } = await stage();
  const lines = async (...args: string[]) => {
    const { code, stdout, stderr } = await catalog(...args);
    expect({ stdout, lines: stderr.trim().split('\n').length }).toEqual({ stdout: '', lines: 1 });
    return `${code} ${stderr.trim()}`;
  };
  expect(await lines('builds', 'rebuild', 'entries')).toMatch(/^2 catalog: There is no read model entries\./);
  expect(await lines('builds', 'roll-back', 'listings')).toMatch(
    /^1 catalog: No build of listings was live before/,
  );
  expect(await lines('builds', 'cut-over', 'listings')).toMatch(
    /^1 catalog: \S+ is the only build of listings/,
  );
  expect(await lines('builds', 'cut-over', 'listings', '--to', 'listings@9')).toMatch(
    /^2 catalog: There is no build/,
  );
  expect(await lines('builds', 'drop', 'listings')).toMatch(/^2 catalog: listings is no name of a build/);
  expect(await lines('builds', 'drop', 'listings@9')).toMatch(/^2 catalog: There is no build listings@9/);
  expect(await lines('builds', 'drop', LISTINGS)).toMatch(/^1 catalog: \S+ is live/);
});

test('a build that cannot be written holds up nothing live; it is watched instead of another one, until it is dropped', async () => {
  const held = Promise.withResolvers<void>();
  const { parts, catalog } = await stage((all) =>
    overriding(all, {
      documents: overriding(all.documents, {
        write: (collection, writes, options) => {
          if (collection !== SECOND) return all.documents.write(collection, writes, options);
          held.resolve();
          return Promise.reject(new RetryableError('the disk is full or failing'));
        },
      }),
    }),
  );
  expect(await catalog('builds', 'rebuild', 'listings', '--detach')).toMatchObject({ code: 0 });
  await held.promise;
  // The live one goes on.
  await parts.log.append([structuredRecord(published({ subject: 'next', username: 'next_one' }))]);
  await expect.poll(async () => (await parts.documents.get(LISTINGS, ['next'])).size).toBe(1);
  expect(await versions(catalog)).toEqual({ [LISTINGS]: 'live', [SECOND]: 'building' });
  const again = await catalog('builds', 'rebuild', 'listings', '--detach', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ build: SECOND });
  expect(again.stderr).toContain(`${SECOND} is under way already`);
  await changeAlias(parts.documents, 'listings', (alias) => alias && { ...alias, beside: [] });
  const { signal } = new AbortController();
  const nobody = () => undefined;
  // A store that is away for a moment is asked again.
  let isAway = true;
  const get: Documents['get'] = async (...asked) => {
    if (isAway) {
      isAway = false;
      throw new RetryableError('away');
    }
    return await parts.documents.get(...asked);
  };
  const shaky = overriding(parts, { documents: overriding(parts.documents, { get }) });
  await expect(untilComplete(shaky, { ...listings, build: 'b2' }, signal, nobody)).rejects.toThrow(
    `${SECOND} was dropped meanwhile: nothing is left of it.`,
  );
});
