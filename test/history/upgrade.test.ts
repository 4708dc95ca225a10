import { beforeAll, expect, test } from 'vitest';

import { listings } from '../../projections/listings/index.ts';
import { LISTINGS, NEXT_LISTINGS } from '../support/collections.ts';
import { exampleCommands } from '../support/command-line.ts';
import { measured, published } from '../support/events.ts';
import { readFile, scriptsIn } from '../support/guides.ts';
import { patiently } from '../support/patiently.ts';
import { install, type Running } from '../support/process.ts';
import type { Item } from '../support/score-reader.ts';
import { nextRelease } from '../support/changed-release.ts';
import { commandsHere } from '../support/run-here.ts';
import { forAllTests } from '../support/for-each-test.ts';

/**
 * docs/guides/upgrade.md on one data folder, with two releases: this one, and one that is made as the guide says. Each
 * test goes on where the one before has ended.
 */
const page = readFile('docs/guides/upgrade.md');

const catalog = forAllTests(() => install({ CATALOG_SAMPLE: 'off' }));
let release: string;
let running: Running;
let key: string;
beforeAll(async () => {
  running = await catalog.started();
  key = JSON.parse(
    (await commandsHere(catalog)(['keys', 'create', '--account', 'acme', '--json'])).stdout,
  ).key;
  await publish(
    ...['plain', 'trusted'].flatMap((subject) => [
      published({ subject, verified: subject === 'trusted' }),
      measured({ subject }),
    ]),
  );
});

test('a release that does not keep the fold of what is live is refused with what to do', async () => {
  await running.stop();
  const bare = await nextRelease({ keeps: false });
  const { code, stderr } = await catalog.catalog(['start'], { release: bare.folder });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(
      `^catalog: .*this release makes version ${listings.version + 1}, has no fold of ${LISTINGS}.*keep its fold here with "npm run freeze" \\(docs/guides/upgrade\\.md\\)\\.\n$`,
    ),
  );
});

test('one that keeps it builds its own version beside the live one, which readers go on seeing', async () => {
  expect(scriptsIn(page, '1. Keep the fold that is live')).toEqual(['npm run freeze -- listings\n']);
  release = (await nextRelease()).folder;
  expect(scriptsIn(page, '3. Start the new release')[0]).toBe('npm start\n');
  running = await catalog.started({}, release);
  expect(await scores()).toEqual(OLD);
  // The table that the guide shows.
  const shown = /^build +state.+?(?=^```)/ms.exec(page)?.[0] ?? '';
  const [versions = []] = commands('3. Start the new release');
  await expect
    .poll(async () => withoutChance((await next(versions)).stdout), { timeout: 60_000, interval: 500 })
    .toContain(withoutChance(shown));
  await publish(published({ subject: 'later' }), measured({ subject: 'later' }));
  await expect.poll(scores).toEqual({ ...OLD, later: OLD.plain });
}, 300_000);

test('a cut-over shows the new scores in every answer, and a rollback the old ones with what came since', async () => {
  const { code, stdout, stderr } = await next(...commands('4. Cut over'));
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: `${NEXT_LISTINGS} is live.\n` });
  await expect.poll(scores).toEqual({ ...NEW, later: NEW.plain });
  await publish(published({ subject: 'plain', revision: 2, verified: true }));
  await expect.poll(scores).toEqual({ plain: NEW.trusted, trusted: NEW.trusted, later: NEW.plain });
  const back = await next(...commands('5. Go back'));
  expect(back).toMatchObject({ code: 0, stdout: `${LISTINGS} is live.\n` });
  await expect.poll(scores).toEqual({ plain: OLD.trusted, trusted: OLD.trusted, later: OLD.plain });
  expect((await next(['verify'])).code).toBe(0);
});

test('after a rollback the old release goes on where the new one was', async () => {
  await running.stop();
  running = await catalog.started();
  expect(await scores()).toEqual({ plain: OLD.trusted, trusted: OLD.trusted, later: OLD.plain });
  await publish(published({ subject: 'later', revision: 2, verified: true }));
  await expect.poll(scores).toEqual({ plain: OLD.trusted, trusted: OLD.trusted, later: OLD.trusted });
  const run = commandsHere(catalog);
  expect((await run(['verify'])).code).toBe(0);
  expect(await run(['builds', 'cut-over', 'listings'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`does not have the fold of ${NEXT_LISTINGS}`) as string,
  });
});

test('without a rollback the old release is refused, and one of it that serves is not ready', async () => {
  await running.stop();
  running = await catalog.started({}, release);
  expect((await next(...commands('4. Cut over'))).code).toBe(0);
  // Grace: somebody may want to go back.
  expect(await next(...commands('6. Clean up'))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`${LISTINGS} was live until .+: it is kept for 1 h`)) as string,
  });
  await running.stop();
  const { code, stderr } = await catalog.catalog(['start']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(
      `^catalog: The live build of listings is ${NEXT_LISTINGS}: this release makes version ${listings.version}, has no fold of ${NEXT_LISTINGS}.*builds roll-back listings.*\n$`,
    ),
  );
  const serve = catalog.start(['serve']);
  await serve.printed('Serving');
  const ready = await fetch(`http://127.0.0.1:${catalog.env['ADMIN_PORT']}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.text()).toContain(
    `${NEXT_LISTINGS}: it is live, and this release has no answers for it`,
  );
  expect((await ask('/top')).status).toBe(503);
  await serve.stop();
});

/** Of an entry with a thousand subscribers that nobody has flagged. */
const OLD = { plain: 53.3, trusted: 66.7 };
const NEW = { plain: 56.7, trusted: 83.3 };

/** The commands of a section, as arguments. */
function commands(title: string): readonly (readonly string[])[] {
  return scriptsIn(page, title).flatMap(exampleCommands);
}

/** Runs commands of the new release. */
async function next(...all: readonly (readonly string[])[]) {
  let done = { code: -1, stdout: '', stderr: '' };
  for (const args of all) done = await catalog.catalog(args, { release });
  return done;
}

async function publish(...events: readonly object[]): Promise<void> {
  const input = events.map((event) => JSON.stringify(event)).join('\n');
  const { stdout } = await commandsHere(catalog)(['publish', '-', '--wait'], { input });
  expect(stdout).toMatch(/In the documents and the search index/);
}

function ask(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${catalog.env['PORT']}/api/v1${path}`, { headers: { 'x-api-key': key } });
}

/** The score of every entry; fails where listing, search and top do not say the same. */
async function scores(): Promise<Readonly<Record<string, number>>> {
  const read = async (path: string) => {
    const body = (await (await patiently(() => ask(path))).json()) as { readonly items: readonly Item[] };
    return Object.fromEntries(body.items.map(({ slug, score }) => [slug, score.value]));
  };
  const top = await read('/top');
  expect(await read('/search?q=news')).toEqual(top);
  for (const [slug, score] of Object.entries(top)) {
    const listing = await patiently(() => ask(`/listings/${slug}`));
    expect(((await listing.json()) as Item).score.value).toBe(score);
  }
  return top;
}

/** Bytes, digests of folds and instants are those of the day. */
function withoutChance(table: string): string {
  return table
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'at')
    .replaceAll(/\d,\d{3}(?= )/g, 'bytes')
    .replaceAll(/(?<= )[\w-]{8}(?= {2}at)/g, 'fold');
}
