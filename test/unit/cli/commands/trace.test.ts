import { describe, expect, test } from 'vitest';

import { ensureTopics, startProjector } from '../../../../src/compose/projector.ts';
import { partitionOf } from '../../../../src/events/log/partitioner.ts';
import { waitUntilServed } from '../../../../src/cli/wait-until-served.ts';
import type { Mark } from '../../../../src/stores/outbox.ts';
import { LISTINGS } from '../../../support/collections.ts';
import { published } from '../../../support/events.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { runHere } from '../../../support/run-here.ts';
import { openParts } from '../../../support/parts.ts';
import { putDocument } from '../../../support/documents.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

/** `trace` on events that came from producers of all kinds. */

let folder: string;
const parts = forEachTest(async () => {
  folder = temporaryFolder();
  const opened = await openParts({ CATALOG_DATA: folder });
  await ensureTopics(opened);
  return opened;
});

const SLUG = 'ai-news';

/** Appends events as some producer would, and projects them. */
async function produced(
  ...records: readonly {
    readonly key: string | null;
    readonly text: string;
    readonly headers?: Record<string, string>;
  }[]
): Promise<void> {
  const places = await parts.log.append(
    records.map(({ key, text, headers = {} }) => ({
      topic: 'catalog.entries',
      key,
      value: Buffer.from(text),
      headers,
    })),
  );
  await using _projector = await startProjector(parts, { acceptGaps: [] });
  await waitUntilServed(parts, places, AbortSignal.timeout(120_000));
}

function entry(slug: string, revision: number): string {
  return JSON.stringify(published({ subject: slug, revision }));
}

async function traced(subject = SLUG) {
  const { code, stdout } = await runHere(['trace', subject, '--json'], { CATALOG_DATA: folder });
  const report = JSON.parse(stdout) as {
    readonly events: readonly {
      readonly outcome: string;
      readonly key: string | null;
      readonly read_model: string;
      readonly type: string | null;
      readonly reason: string | null;
      readonly superseded_by: number | string | null;
    }[];
    readonly unreadable: number;
    readonly search: readonly { readonly document: string; readonly state: string }[];
  };
  return { code, ...report };
}

/** What became of them in the listings; other read models may be made of the same events. */
function inListings<Event extends { readonly read_model: string }>(events: readonly Event[]) {
  return events.filter(({ read_model }) => read_model === LISTINGS);
}

describe('an event about the subject is found', () => {
  test('without a key, in whatever partition, and said to have none', async () => {
    // Where keyless records stand is not where the subject's own partition is.
    expect(partitionOf(SLUG, 6)).not.toBe(partitionOf(null, 6));
    await produced({ key: null, text: entry(SLUG, 1) }, { key: SLUG, text: entry(SLUG, 2) });
    const { code, events } = await traced();
    expect(inListings(events).map(({ outcome, key }) => [outcome, key])).toEqual([
      ['superseded', null],
      ['in_force', SLUG],
    ]);
    expect(code).toBe(0);
    const { stdout } = await runHere(['trace', SLUG], { CATALOG_DATA: folder });
    expect(stdout).toContain('1 of them has no key: give every record its subject as the key.');
  });

  test('with a key that is not its subject: parked, by its subject and by its key', async () => {
    await produced({ key: 'another', text: entry(SLUG, 1) });
    for (const subject of [SLUG, 'another']) {
      const { code, events } = await traced(subject);
      expect(inListings(events).map(({ outcome, key }) => [outcome, key])).toEqual([['parked', 'another']]);
      expect(code).toBe(1);
    }
  });

  test('with its subject escaped, or in a header', async () => {
    const { data, ...attributes } = published({ revision: 2 });
    const headers = Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [`ce_${name}`, value]),
    );
    await produced(
      { key: null, text: entry(SLUG, 1).replace('"ai-news"', '"\\u0061i-news"') },
      { key: null, text: JSON.stringify(data), headers: { ...headers, 'content-type': 'application/json' } },
    );
    expect(inListings((await traced()).events).map(({ outcome }) => outcome)).toEqual([
      'superseded',
      'in_force',
    ]);
  });
});

test('an event about another subject that speaks of this one is not one of its events: with none, the exit code is 1', async () => {
  const other = published({ subject: 'other', tags: [SLUG] });
  await produced({ key: 'other', text: JSON.stringify(other) }, { key: null, text: JSON.stringify(other) });
  expect(await traced()).toMatchObject({ code: 1, events: [] });
});

test('records without a key that cannot be read are counted: they may be about the subject', async () => {
  await produced({ key: null, text: 'no JSON' }, { key: 'other', text: 'no JSON' });
  expect(await traced()).toMatchObject({ code: 1, events: [], unreadable: 1 });
  const { stdout } = await runHere(['trace', SLUG], { CATALOG_DATA: folder });
  expect(stdout).toContain(
    'The log holds no event about ai-news.\n1 record without a key names no subject that could be read',
  );
});

test('a type reads alike, whether its event could be used, was refused, or nobody reads it', async () => {
  const text = (type: string): string => entry(SLUG, 1).replace('catalog.entry.published', type);
  await produced(
    { key: SLUG, text: entry(SLUG, 1) },
    { key: SLUG, text: entry(SLUG, 0) },
    { key: SLUG, text: text('catalog.entry.renamed') },
  );
  expect(inListings((await traced()).events).map(({ outcome, type }) => [outcome, type])).toEqual([
    ['in_force', 'catalog.entry.published'],
    ['parked', 'catalog.entry.published'],
    ['ignored', 'catalog.entry.renamed'],
  ]);
});

test('an event that another one of its own revision has superseded says so', async () => {
  const other = JSON.stringify(published({ subject: SLUG, revision: 5, tags: ['other'] }));
  await produced({ key: SLUG, text: entry(SLUG, 5) }, { key: SLUG, text: other });
  const { events } = await traced();
  const loser = inListings(events).find(({ outcome }) => outcome === 'superseded');
  const reason = 'another event of the same revision, 5, is in force';
  expect(loser).toMatchObject({ reason, superseded_by: 5 });
  const { stdout } = await runHere(['trace', SLUG], { CATALOG_DATA: folder });
  expect(stdout).toContain(`superseded: ${reason}`);
});

test.each([
  [{ mark: 'remove' }, 'being removed'],
  [{ mark: 'confirm', since: 0 }, 'removed'],
] as const)('what the search index has removed is not said to be removed still: %j', async (dirty, state) => {
  await produced({ key: SLUG, text: entry(SLUG, 1) });
  await marked(dirty);
  expect((await traced()).search).toEqual([{ document: `${LISTINGS}/${SLUG}`, state }]);
  const { stdout } = await runHere(['trace', SLUG], { CATALOG_DATA: folder });
  expect(stdout).toContain(`${SLUG} in search: ${state}\n`);
});

/** No feeder is at work: the mark stays as a service leaves it that stops then. */
async function marked(dirty: Mark): Promise<void> {
  const stored = (await parts.documents.get<object>(LISTINGS, [SLUG])).get(SLUG);
  await putDocument(parts.documents, LISTINGS, SLUG, { ...stored?.body, dirty });
}
