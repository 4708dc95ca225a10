import { expect, test } from 'vitest';

import { listings } from '../../projections/listings/index.ts';
import { untilComplete } from '../../src/cli/commands/rebuild/watching.ts';
import type { Parts } from '../../src/compose/parts.ts';
import { structuredRecord } from '../../src/events/structured-record.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import type { ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import { newVersion } from '../../src/stores/documents/port.ts';
import { changeAlias } from '../../src/stores/live.ts';
import { LISTINGS } from '../support/collections.ts';
import { published } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';
import { overriding } from '../support/overriding.ts';
import { openRelease, startRelease, untilComplete as untilThere } from '../support/releases.ts';
import { runHere } from '../support/run-here.ts';
import { withoutProgress } from '../support/without-progress.ts';

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
  const { builds } = JSON.parse((await catalog('versions', '--json')).stdout) as {
    readonly builds: readonly Record<string, unknown>[];
  };
  const own = builds.filter((build) => build['read_model'] === 'listings');
  return Object.fromEntries(own.map((build) => [build['build'], build['state']]));
}

test('a read model is rebuilt, made live, gone back to, and what is left is dropped', async () => {
  const { parts, catalog } = await stage();
  const rebuilt = await catalog('rebuild', 'listings', '--cut-over', '--json');
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
  const shown = JSON.parse((await catalog('versions', '--json')).stdout) as object;
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

  expect(await catalog('drop', SECOND)).toMatchObject({ code: 1, stdout: '' });
  expect(await catalog('rollback', 'listings')).toMatchObject({ code: 0, stdout: `${LISTINGS} is live.\n` });
  await changeAlias(parts.documents, 'listings', (alias) => alias && { ...alias, before: null });
  expect(await catalog('drop', SECOND)).toMatchObject({ code: 0, stdout: `${SECOND} is gone.\n` });
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
  expect(await lines('rebuild', 'entries')).toMatch(/^2 catalog: There is no read model entries\./);
  expect(await lines('rollback', 'listings')).toMatch(/^1 catalog: No build of listings was live before/);
  expect(await lines('cut-over', 'listings')).toMatch(/^1 catalog: \S+ is the only build of listings/);
  expect(await lines('cut-over', 'listings', '--to', 'listings@9')).toMatch(/^2 catalog: There is no build/);
  expect(await lines('drop', 'listings')).toMatch(/^2 catalog: listings is no name of a build/);
  expect(await lines('drop', 'listings@9')).toMatch(/^2 catalog: There is no build listings@9/);
  expect(await lines('drop', LISTINGS)).toMatch(/^1 catalog: \S+ is live/);
  expect(await lines('rebuild', 'listings', '--key', 'ai-news', '--cut-over')).toMatch(/^2 catalog: --key/);
  expect(await lines('rebuild', 'listings', '--key', 'nobody')).toMatch(
    /^1 catalog: The log holds no event about nobody, and \S+ has no document of it\.$/,
  );
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
  expect(await catalog('rebuild', 'listings', '--detach')).toMatchObject({ code: 0 });
  await held.promise;
  // The live one goes on.
  await parts.log.append([structuredRecord(published({ subject: 'next', username: 'next_one' }))]);
  await expect.poll(async () => (await parts.documents.get(LISTINGS, ['next'])).size).toBe(1);
  expect(await versions(catalog)).toEqual({ [LISTINGS]: 'live', [SECOND]: 'building' });
  const again = await catalog('rebuild', 'listings', '--detach', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ build: SECOND });
  expect(again.stderr).toContain(`${SECOND} is under way already`);
  await changeAlias(parts.documents, 'listings', (alias) => alias && { ...alias, beside: [] });
  const { signal } = new AbortController();
  await expect(untilComplete(parts, { ...listings, build: 'b2' }, signal)).rejects.toThrow(
    `${SECOND} was dropped meanwhile: nothing is left of it.`,
  );
});

test('one document is folded again into the live build, and what changed is said', async () => {
  const { parts, catalog } = await stage();
  const read = async () =>
    (await parts.documents.get<ReadModelDocument>(LISTINGS, ['ai-news'])).get('ai-news');
  const right = await read();
  if (!right) throw new Error('the entry is not there');
  const view = { ...(right.body.view as object), kind: 'bot' };
  const broken = { id: 'ai-news', read: right.version, version: newVersion(), body: { ...right.body, view } };
  await parts.documents.write(LISTINGS, [broken]);
  expect((await catalog('verify')).code).toBe(1);
  const refolded = withoutProgress(await catalog('rebuild', 'listings', '--key', 'ai-news'));
  expect(refolded).toMatchObject({ code: 0, stderr: '' });
  expect(refolded.stdout).toContain(`ai-news in ${LISTINGS} was changed:\n  kind: "bot" -> "channel"\n`);
  expect((await catalog('verify')).code).toBe(0);
  const again = await catalog('rebuild', 'listings', '--key', 'ai-news', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ id: 'ai-news', created: false, changes: [] });
  await expect.poll(async () => (await read())?.body.dirty).toBeUndefined();
});
