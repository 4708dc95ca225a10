import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ListingEvent } from '../../projections/listings/evolve.ts';
import { compose, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { canonical } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json.ts';
import { LISTINGS } from '../support/collections.ts';
import { decoded } from '../support/events.ts';
import { disorderlyHistory, seeded } from '../support/histories.ts';
import { naiveListing } from '../support/naive-listing.ts';
import { install, type Installation, type Running } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { sizeOf } from '../support/sizes.ts';

/**
 * A long history is played to a working service, which stands still at ten random moments of it: the log is projected,
 * and the API is asked. Afterwards a replay to each moment, and `history --at` it, must know what was true then.
 */
const SIZE = { entries: sizeOf('PLAYED_ENTRIES'), events: sizeOf('PLAYED_EVENTS') };
const MOMENTS = 10;
/** Entries that the API is asked for at each moment. */
const ASKED = 5;
/** What an answer may be old, and what tells two moments apart. */
const FRESH_MS = 1100;

interface Moment {
  /** Unix milliseconds. */
  readonly at: number;
  /** How many of the lines had come. */
  readonly lines: number;
  readonly answered: readonly { readonly slug: string; readonly status: number; readonly body: unknown }[];
}

let catalog: Installation;
let service: Running;
let parts: Parts;
const moments: Moment[] = [];
const lines = disorderlyHistory({ ...SIZE, seed: 17 });
const told = linesBySubject();
const subjects = [...told.keys()];
const takenAway = lines.filter((line) => line.includes('"catalog.entry.unpublished.')).map(subjectOf);

beforeAll(async () => {
  catalog = await install({ CATALOG_SAMPLE: 'off' });
  service = catalog.start();
  await service.printed('Ctrl-C stops.');
  parts = await compose(readConfig(catalog.env), 'test');
  const made = await catalog.catalog(['keys', 'create', '--account', 'acme', '--json']);
  const { key } = JSON.parse(made.stdout) as { key: string };
  const random = seeded(Number(process.env['TEST_SEED']));
  const ends = Array.from({ length: MOMENTS - 1 }, () => 1 + Math.floor(random() * (lines.length - 1)));
  let from = 0;
  for (const end of [...new Set(ends), lines.length].toSorted((a, b) => a - b)) {
    await play(lines.slice(from, end));
    from = end;
    // Some have not come yet, and are no entries then.
    const some = (among: readonly string[]) => among[Math.floor(random() * among.length)] ?? '';
    const slugs = [...Array.from({ length: ASKED }, () => some(subjects)), some(takenAway)];
    moments.push({
      at: Date.now(),
      lines: end,
      answered: await Promise.all(slugs.map((slug) => ask(slug, key))),
    });
    await pause(FRESH_MS);
  }
}, 3_600_000);
afterAll(async () => {
  await parts[Symbol.asyncDispose]();
  await service.stop();
  await catalog[Symbol.asyncDispose]();
});

async function play(portion: readonly string[]): Promise<void> {
  const file = join(catalog.folder, 'told.ndjson');
  writeFileSync(file, portion.join('\n'));
  const { stdout, stderr } = await catalog.catalog(['publish', file, '--wait']);
  expect(stdout, stderr).toMatch(/(?:They have|It has) reached the documents and the search index/);
  await pause(FRESH_MS);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function ask(slug: string, key: string): Promise<Moment['answered'][number]> {
  const url = `http://127.0.0.1:${catalog.env['PORT']}/api/v1/listings/${slug}?locale=en`;
  const response = await fetch(url, { headers: { 'x-api-key': key } });
  return { slug, status: response.status, body: await response.json() };
}

test('a replay to each moment has the documents of an independent fold of what had come by then', async () => {
  const { documents } = parts;
  const here = commandsHere(catalog);
  for (const [number, { at, lines: come }] of moments.entries()) {
    const name = `moment-${number}`;
    const until = new Date(at).toISOString();
    const { code, stderr } = await here(['replay', 'listings', '--until', until, '--into', name]);
    expect(code, stderr).toBe(0);
    const left = new Set([...told].filter(([, [first = come]]) => first < come).map(([subject]) => subject));
    const differing: unknown[] = [];
    for await (const batch of documents.scan(`${LISTINGS}-${name}`)) {
      for (const { id, body } of batch) {
        const events = (told.get(id) ?? []).filter((place) => place < come).map(eventAt);
        const { view } = body as { readonly view: Json };
        const naive = JSON.parse(JSON.stringify(naiveListing(events))) as Json;
        if (canonical(view) !== canonical(naive)) differing.push({ id, until, view, naive });
        left.delete(id);
      }
    }
    expect({ until, differing: differing.slice(0, 3), left: [...left] }).toEqual({
      until,
      differing: [],
      left: [],
    });
    expect((await here(['drop', name])).code).toBe(0);
  }
});

test('"history --at" each moment is what the API had answered then', async () => {
  const here = commandsHere(catalog);
  for (const { at, answered } of moments) {
    for (const { slug, status, body } of answered) {
      const time = new Date(at).toISOString();
      const asked = await here(['history', slug, '--at', time, '--locale', 'en', '--json']);
      expect(asked.code, asked.stderr).toBe(0);
      expect(JSON.parse(asked.stdout), `${slug} at ${time}`).toMatchObject({ status, body });
    }
  }
  const statuses = moments.flatMap(({ answered }) => answered.map(({ status }) => status));
  expect(new Set(statuses)).toEqual(new Set([200, 404]));
});

/** The places of an entry's events among the lines, ascending. */
function linesBySubject(): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [place, line] of lines.entries()) {
    if (!line.includes('"catalog.entry.')) continue;
    const subject = subjectOf(line);
    const places = found.get(subject);
    if (places) places.push(place);
    else found.set(subject, [place]);
  }
  return found;
}

function eventAt(place: number): ListingEvent {
  return decoded(JSON.parse(lines[place] ?? '') as CloudEvent) as ListingEvent;
}

function subjectOf(line: string): string {
  return (JSON.parse(line) as CloudEvent).subject;
}
