import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, test } from 'vitest';

import { listings } from '../../../projections/listings/index.ts';
import { loadDuckDb } from '../../../src/analysis/duckdb/load-module.ts';
import { ORIGINAL_TIME } from '../../../src/events/original-time.ts';
import { structuredRecord } from '../../../src/events/event-types.ts';
import { LISTINGS } from '../../support/collections.ts';
import { published } from '../../support/events.ts';
import { foldEvents } from '../../support/read-models.ts';
import { HOSTILE_TITLE, openAnalysed, SHADOW } from '../../support/analysts.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runHere } from '../../support/run-here.ts';
import { forAllTests } from '../../support/for-each-test.ts';

const analysed = forAllTests(openAnalysed);

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(view: string): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await runHere(['export', view], analysed.env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Row);
}

describe('an exported view', () => {
  test('of listings has a row for each published entry of the live build', async () => {
    const rows = await rowsOf('listings');
    expect(rows.map(({ slug }) => slug)).toEqual(['alpha', 'beta']);
    expect(rows[0]).toMatchObject({
      kind: 'channel',
      title_en: HOSTILE_TITLE,
      title_ru: null,
      tags: ['a,b', 'c'],
      audience: 1000,
      audience_unit: 'subscribers',
      published_at: '2026-11-20T09:58:00.000Z',
      measured_at: '2026-11-20T09:00:00.250Z',
      growth_1d: 100,
      view: { description: { en: 'first\nsecond' } },
    });
  });

  test('of a build that is named shows that build alone', async () => {
    expect((await rowsOf(SHADOW)).map(({ slug }) => slug)).toEqual(['shadowy']);
    expect((await rowsOf(LISTINGS)).map(({ slug }) => slug)).toEqual(['alpha', 'beta']);
    expect(await rowsOf(SHADOW.replace('listings', 'metrics'))).toEqual([]);
  });

  test('of metrics has a row for each entry and day', async () => {
    const rows = await rowsOf('metrics');
    expect(rows.map(({ slug, day, audience }) => [slug, day, audience])).toEqual([
      ['alpha', '2026-11-18', 900],
      ['alpha', '2026-11-20', 1000],
      ['beta', '2026-11-20', 77],
    ]);
  });

  test('of probes has each probe as it was received', async () => {
    const ofBots = ({ target }: Row): boolean => target === 'bot_api';
    const probes = (await rowsOf('probes')).filter(ofBots);
    expect(
      probes.map(({ vantage_point, result, latency_ms, cause }) => [
        vantage_point,
        result,
        latency_ms,
        cause,
      ]),
    ).toEqual([
      ['eu-1', 'ok', 120.5, null],
      ['us-1', 'slow', 3000, null],
      ['ap-1', 'fail', null, 'dns'],
    ]);
    expect(await rowsOf('targets')).toMatchObject([
      { target: 'bot_api', critical: true, slow_ms: 2000 },
      { target: 'web' },
    ]);
    expect(await rowsOf('categories')).toMatchObject([{ slug: 'data-science', parent: null }]);
  });

  test('of incidents has each one that the probes tell of, as the state shows it', async () => {
    expect(await rowsOf('incidents')).toEqual([
      {
        id: `web-${Date.parse('2026-11-20T10:02:15Z') / 1000}`,
        target: 'web',
        state: 'resolved',
        severity: 'down',
        cause: 'tls',
        started_at: '2026-11-20T10:00:10.000Z',
        detected_at: '2026-11-20T10:02:15.000Z',
        resolved_at: '2026-11-20T10:06:10.000Z',
        duration_s: 360,
      },
    ]);
  });

  test('of events has every record of the log, one that is no event with the reason', async () => {
    const rows = await rowsOf('events');
    expect(rows).toHaveLength(27);
    const gone = rows.find(({ type }) => type === 'catalog.entry.unpublished.v1');
    expect(gone).toMatchObject({ subject: 'gone', key: 'gone', data: { reason: 'policy' }, problem: null });
    expect(rows.filter(({ problem }) => problem !== null)).toMatchObject([
      { key: 'odd', id: null, problem: expect.stringContaining('expected JSON') as string },
    ]);
  });
});

test('an event that was restored from an archive has the time of the first log', async () => {
  await using restored = await openAnalysed();
  const header = { [ORIGINAL_TIME]: String(Date.parse('2026-01-02T03:04:05Z')) };
  const record = structuredRecord(published({ subject: 'old' }));
  await restored.parts.log.append([{ ...record, headers: { ...record.headers, ...header } }]);
  const { stdout } = await runHere(['export', 'events'], restored.env);
  const old = stdout.split('\n').find((line) => line.includes('"key":"old"'));
  expect(JSON.parse(String(old))).toMatchObject({ recorded_at: '2026-01-02T03:04:05.000Z' });
});

describe('a file', () => {
  test('holds every character as it is, and standard output shows what steers a terminal', async () => {
    const out = join(temporaryFolder(), 'listings.csv');
    const args = ['export', 'listings', '--format', 'csv'];
    expect((await runHere([...args, '--out', out], analysed.env)).code).toBe(0);
    const text = readFileSync(out, 'utf8');
    expect(text.split('\n')[0]).toMatch(/^slug,kind,subtype,username,title_en/);
    expect(text).toContain(`"${HOSTILE_TITLE.replaceAll('"', '""')}"`);
    expect(text).toContain('"[""a,b"",""c""]"');
    expect((await runHere(args, analysed.env)).stdout).toContain('Ha\\u202e""x""');
  });

  test('of CSV guards texts that a spreadsheet would compute, unless they are wanted raw', async () => {
    await using formulas = await openAnalysed();
    const entry = published({ subject: 'formula', title: { en: '=HYPERLINK("//x")' } });
    await foldEvents(formulas.parts.documents, listings, [entry]);
    const titleAs = async (...options: readonly string[]): Promise<string | undefined> => {
      const args = ['export', 'listings', '--format', 'csv', ...options];
      const { stdout } = await runHere(args, formulas.env);
      return /^formula,.+/m.exec(stdout)?.[0];
    };
    expect(await titleAs()).toContain(',"\'=HYPERLINK(""//x"")",');
    expect(await titleAs('--raw-cells')).toContain(',"=HYPERLINK(""//x"")",');
  });

  test('of CSV begins with a byte order mark where one is asked for', async () => {
    const out = join(temporaryFolder(), 'listings.csv');
    const args = ['export', 'listings', '--format', 'csv', '--bom'];
    expect((await runHere([...args, '--out', out], analysed.env)).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toMatch(/^\ufeffslug,kind,/);
    expect(await runHere(args, analysed.env)).toMatchObject({ code: 2 });
    expect(await runHere(['export', 'listings', '--raw-cells'], analysed.env)).toMatchObject({ code: 2 });
  });

  test('that exists is left alone, unless it may be replaced', async () => {
    const out = join(temporaryFolder(), 'kept');
    writeFileSync(out, 'mine');
    const args = ['export', 'metrics', '--out', out];
    const { code, stderr } = await runHere(args, analysed.env);
    expect({ code, text: readFileSync(out, 'utf8') }).toEqual({ code: 2, text: 'mine' });
    expect(stderr).toMatch(/^catalog: \S+ exists: .+ --force .+\n$/);
    expect((await runHere([...args, '--force'], analysed.env)).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('"slug":"alpha"');
    const device = await runHere(['export', 'metrics', '--out', '/dev/null', '--force'], analysed.env);
    expect(device).toMatchObject({
      code: 2,
      stderr: 'catalog: /dev/null is a link, a folder or a device: name a file.\n',
    });
  });

  test('is not written in the place of a link', async () => {
    const link = join(temporaryFolder(), 'link');
    symlinkSync('nowhere', link);
    expect(await runHere(['export', 'metrics', '--out', link], analysed.env)).toMatchObject({ code: 2 });
  });

  test.each(['no/x', 'x'.repeat(300)])('is not left in part where it cannot be written: %s', async (name) => {
    const folder = temporaryFolder();
    const args = ['export', 'metrics', '--out', join(folder, name)];
    const { code, stderr } = await runHere(args, analysed.env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^catalog: \S+ cannot be written: .+\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is told of with --json', async () => {
    const out = join(temporaryFolder(), 'metrics.ndjson');
    const { stdout } = await runHere(['export', 'metrics', '--out', out, '--json'], analysed.env);
    const bytes = readFileSync(out).byteLength;
    expect(JSON.parse(stdout)).toEqual({ view: 'metrics', format: 'ndjson', file: out, rows: 3, bytes });
  });
});

test.each([
  [
    ['nothing'],
    new RegExp(`^catalog: There is no view nothing\\. The views are listings, .+ ${SHADOW}.+\\n$`),
  ],
  [['listings@7'], /^catalog: There is no listings@7\. The views are .+\n$/],
  [['listings@../x'], /^catalog: There is no listings@\.\.\/x\. The views are .+\n$/],
  [['aliases'], /^catalog: There is no view aliases\. .+\n$/],
  [['metrics', '--format', 'parquet'], /^catalog: Parquet is a file: name it with --out\.\n$/],
  [['metrics', '--json'], /^catalog: --json tells of a file.+\n$/],
])('what is asked for wrongly ends with 2 and one line: %j', async (args, line) => {
  const { code, stdout, stderr } = await runHere(['export', ...args], analysed.env);
  expect(code).toBe(2);
  expect(stderr).toMatch(line);
  expect(stdout).toMatch(/^$|"usage"/);
});

test('without DuckDB, the command that adds it is told', () => {
  const nowhere = pathToFileURL(`${temporaryFolder()}/`);
  expect(existsSync(nowhere)).toBe(true);
  expect(() => loadDuckDb(nowhere)).toThrow(
    'This needs DuckDB, which is not installed. Add it with "npm ci --prefix extras/sql".',
  );
});
