import { beforeAll, expect, test } from 'vitest';

import type { ListingView } from '../../../../../projections/listings/document.ts';
import type { CloudEvent } from '../../../../../src/events/envelope.ts';
import type { ReadModelDocument } from '../../../../../src/projecting/engine/projection.ts';
import { LISTINGS } from '../../../../support/collections.ts';
import { measured, published, unpublished } from '../../../../support/events.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { runHere } from '../../../../support/run-here.ts';
import { makeTwoBuilds, SHADOW } from '../../../../support/two-builds.ts';
import { openParts } from '../../../../support/parts.ts';
import { storedIn } from '../../../../support/documents.ts';

/** The command on a live build and a shadow with other scores, against a second computation from the documents. */

const folder = temporaryFolder();
const CATALOG_DATA = folder;
let views: Readonly<Record<'before' | 'after', ReadonlyMap<string, ListingView & { published: true }>>>;

const SLUGS = Array.from({ length: 40 }, (_, at) => `entry-${String(at).padStart(2, '0')}`);

beforeAll(async () => {
  const both = SLUGS.flatMap(eventsOf);
  await makeTwoBuilds(folder, {
    live: [...both, published({ subject: 'gone', title: { en: 'Gone' } })],
    shadow: [
      ...both,
      published({ subject: 'gone', title: { en: 'Gone' } }),
      unpublished({ subject: 'gone' }),
      published({ subject: 'new', title: { en: 'New' } }),
      published({ subject: 'entry-00', revision: 2, title: { en: 'Renamed' } }),
    ],
  });
  views = { before: await viewsOf(LISTINGS), after: await viewsOf(SHADOW) };
});

/** Several share a score, and some have none to speak of. */
function eventsOf(subject: string, at: number): readonly CloudEvent[] {
  const entry = published({ subject, title: { en: `Entry ${at}` }, category: `category-${at % 3}` });
  if (at % 5 === 0) return [entry];
  return [entry, measured({ subject, subscribers: 10 ** (at % 7), posts_per_week: at % 4 })];
}

async function viewsOf(collection: string) {
  await using parts = await openParts({ CATALOG_DATA }, {}, 'read');
  const all = await storedIn<ReadModelDocument<unknown, ListingView>>(parts.documents, collection);
  return new Map(all.flatMap(({ id, body: { view } }) => (view.published ? [[id, view]] : [])));
}

function rank(side: 'before' | 'after', slug: string): number | null {
  const sorted = [...views[side]].sort(
    ([a, one], [b, other]) => other.score.value - one.score.value || (a < b ? -1 : 1),
  );
  const place = sorted.findIndex(([other]) => other === slug);
  return place === -1 ? null : place + 1;
}

function score(side: 'before' | 'after', slug: string): number | null {
  return views[side].get(slug)?.score.value ?? null;
}

async function diff(...args: readonly string[]) {
  return await runHere(['builds', 'diff', ...args], { CATALOG_DATA });
}

async function linesOf(...args: readonly string[]): Promise<readonly Line[]> {
  const { code, stdout, stderr } = await diff(LISTINGS, SHADOW, '--ndjson', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

interface Line {
  readonly id: string;
  readonly change: string;
  readonly score: Sides;
  readonly rank: Sides;
  readonly fields: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;
}
interface Sides {
  readonly before: number | null;
  readonly after: number | null;
}

test('--ndjson has a line for each difference, with scores and ranks as a second computation has them', async () => {
  const lines = await linesOf();
  const same = new Set(
    SLUGS.filter((slug) => score('before', slug) === score('after', slug) && slug !== 'entry-00'),
  );
  expect(lines.map(({ id }) => id)).toEqual([...SLUGS, 'gone', 'new'].filter((slug) => !same.has(slug)));
  for (const line of lines) {
    const { id } = line;
    expect(line.score).toEqual({ before: score('before', id), after: score('after', id) });
    expect(line.rank).toEqual({ before: rank('before', id), after: rank('after', id) });
  }
  expect(lines.find(({ id }) => id === 'gone')?.change).toBe('removed');
  expect(lines.find(({ id }) => id === 'new')?.change).toBe('added');
  expect(lines.find(({ id }) => id === 'entry-00')?.fields['title.en']).toEqual({
    before: 'Entry 0',
    after: 'Renamed',
  });
});

test('--fields says what counts', async () => {
  const titles = await linesOf('--fields', 'title.en');
  expect(titles.map(({ id }) => id)).toEqual(['entry-00', 'gone', 'new']);
});

test('--json has the counts and the largest movements, the largest first', async () => {
  const { code, stdout } = await diff(LISTINGS, SHADOW, '--json', '--top', '5');
  expect(code).toBe(0);
  const told = JSON.parse(stdout) as {
    readonly changed: number;
    readonly movements: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
  const changed = (await linesOf()).filter(({ change }) => change === 'changed').length;
  expect(told).toMatchObject({
    before: LISTINGS,
    after: SHADOW,
    entries: { before: 41, after: 41 },
    added: 1,
    removed: 1,
    changed,
    unchanged: 40 - changed,
  });
  const largest = (weigh: (slug: string) => number) =>
    SLUGS.filter((slug) => weigh(slug) !== 0)
      .toSorted((a, b) => weigh(b) - weigh(a) || (a < b ? -1 : 1))
      .slice(0, 5);
  const moved = (of: typeof score) => (slug: string) => {
    const [was, is] = [of('before', slug) ?? 0, of('after', slug) ?? 0];
    return Math.round(Math.abs(is - was) * 10);
  };
  expect(told.movements['by_score']?.map(({ id }) => id)).toEqual(largest(moved(score)));
  expect(told.movements['by_rank']?.map(({ id }) => id)).toEqual(largest(moved(rank)));
  const leaders = [...views.after.keys()].toSorted(
    (a, b) => (rank('after', a) ?? 0) - (rank('after', b) ?? 0),
  );
  expect(told.movements['first']?.map(({ id }) => id)).toEqual(leaders.slice(0, 5));
});

test('for people, it is counts and tables', async () => {
  const { code, stdout, stderr } = await diff('live', 'weights', '--top', '3');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(
    `${LISTINGS} (before) and ${SHADOW} (after): every field that readers see counts.\n`,
  );
  expect(stdout).toMatch(/^1 added, 1 removed, \d+ changed, \d+ unchanged; 41 entries before, 41 after\.$/m);
  expect(stdout).toMatch(
    /^Largest movements in score:\nentry +title +category +score before +after +moved /m,
  );
  expect(stdout.match(/^Largest movements in rank:\n(?:.+\n){4}\n/m)).not.toBeNull();
  expect(stdout).toMatch(/^The first afterwards:$/m);
});
