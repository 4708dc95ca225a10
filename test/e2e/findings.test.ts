import { join } from 'node:path';

import { beforeAll, describe, expect, test, vi } from 'vitest';

import { compose } from '../../src/compose/parts.ts';
import { startProjector } from '../../src/compose/projector.ts';
import { readConfig } from '../../src/config.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { findingPhrases, lineOf, type Phrase } from '../../src/findings/finding-texts.ts';
import { readStatus } from '../../src/operations/status.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { fill } from '../../src/texts/fill.ts';
import { formats } from '../../src/texts/formats.ts';
import { type Locale, TEXTS } from '../../src/texts/texts.ts';
import { published } from '../support/events.ts';
import {
  brokenCopy,
  renderingsOf,
  QUIET,
  tight,
  type Fault,
  type Renderings,
} from '../support/findings-stage.ts';
import { change, type Row, SCENES, SILENT } from '../support/findings-scenes.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runHere } from '../support/run-here.ts';

/**
 * Faults of an installation, and that status, doctor, `/readyz`, the operator page in both languages and the figures of the
 * alerts say the same of each: what, of whom, since when, and what to do. Where one rightly says nothing, the table says why.
 */

/** Stores that cannot be used end a start, with one sentence: so no process runs that has a page, or is ready. */
const BROKEN: Readonly<Record<string, Fault & { readonly says: RegExp }>> = {
  'documents that are damaged': {
    damage: 'documents',
    says: /documents\.db is damaged or is not a database/,
  },
  'a log that is damaged': { damage: 'log', says: /log\.db is damaged or is not a database/ },
  'documents of an earlier format': {
    provoke: (parts) => change(parts, 'identity', 'store', { format: 1 }),
    says: /documents\.db was made by an earlier release/,
  },
  'documents of a later format': {
    provoke: (parts) => change(parts, 'identity', 'store', { format: 99 }),
    says: /documents\.db was made by a later release/,
  },
};

let template: string;
beforeAll(async () => {
  template = join(temporaryFolder(), 'data');
  await using parts = await compose(readConfig({ CATALOG_DATA: template }), 'test', QUIET);
  await using _projector = await startProjector(parts, { acceptGaps: [] });
  await parts.log.append([structuredRecord(published({ subject: 'served', revision: 1 }))]);
  const isWell = async () => {
    const { findings, read_models, search } = await readStatus(parts, AbortSignal.timeout(10_000));
    const documents = read_models.map((one) => [one.documents, one.lag]);
    const behind = search.flatMap(({ behind_ms }) => behind_ms ?? []);
    expect([findings, documents[0], behind]).toEqual([[], [1, 0], []]);
  };
  await vi.waitFor(isWell, { timeout: 60_000, interval: 100 });
}, 90_000);

const plain = (said: Phrase): string =>
  tight(said.map((piece) => (typeof piece === 'string' ? piece : piece.quoted)).join(''));

/** Clocks stand still in a projector of a test, and go on in its store. */
function isNear(one: string | null, other: string | null): boolean {
  return one === other || Math.abs(Date.parse(one ?? '') - Date.parse(other ?? '')) < 5000;
}

function sinceIn(locale: Locale, since: string | null, earlierMs: number): string {
  if (since === null) return '';
  const moment = formats(locale).moment(new Date(Date.parse(since) - earlierMs).toISOString());
  return tight(fill(TEXTS[locale].findings.since, { since: moment }, locale));
}

describe.each(Object.entries(SCENES))('%s:', (_name, { rows, empty, ...fault }) => {
  let shown: Renderings;
  beforeAll(async () => {
    shown = await renderingsOf(empty ? null : template, fault);
  }, 60_000);

  test.for(rows)('%s %s %s is told alike', ([severity, code, subject, known, readyz, alert, isSilent]) => {
    const isIt = (one: Finding): boolean => one.code === code && one.subject === subject;
    const told = shown.status.find(isIt);
    if (!told) throw new Error(`status has ${JSON.stringify(shown.status)}`);
    const { message, ...finding } = told;
    const { since } = finding;
    expect([finding.severity, message, since !== null]).toEqual([
      severity,
      lineOf(finding),
      known === 'since',
    ]);
    expect(Date.parse(since ?? '2026-01-01')).toBeLessThanOrEqual(Date.now());

    const moment = since === null ? '' : ` (since ${since})`;
    const advised = shown.doctor
      .filter(
        ({ area, name, message: says }) => area === 'findings' && name === subject && says.endsWith(moment),
      )
      .map(({ message: says, hint }) => `${says.slice(0, says.length - moment.length)} ${hint}${moment}`);
    expect(advised.filter((line) => line === message)).toEqual(isSilent ? [] : [message]);

    const ready = shown.readyz.flatMap(({ name, findings = [] }) =>
      findings.filter(isIt).map((one) => [name, one]),
    );
    const nearly = { asymmetricMatch: (other: string | null) => isNear(other, since) };
    const checks = readyz in SILENT ? [] : readyz.split(' and ');
    expect(ready).toEqual(checks.map((check) => [check, { ...finding, since: nearly }]));

    for (const locale of ['en', 'ru'] as const) {
      const { says, advice } = findingPhrases(finding, locale);
      // A minute may have begun meanwhile.
      const lines = [0, 3000].map((ms) => `${plain(says)}${plain(advice)}${sinceIn(locale, since, ms)}`);
      expect(
        lines.filter((line) => shown[locale].includes(line)),
        lines[0],
      ).not.toEqual([]);
    }
    // A silent one has no figure that could be looked for.
    expect(shown.metrics).toMatch(typeof alert === 'string' ? '' : alert);
  });

  test('nothing else is told', () => {
    const named = (found: readonly Pick<Finding, 'code' | 'subject'>[]) =>
      found.map(({ code, subject }) => `${code} ${subject}`).toSorted();
    const rowsOf = (some: readonly Row[]) => named(some.map(([, code, subject]) => ({ code, subject })));
    expect(named(shown.status)).toEqual(rowsOf(rows));
    const ready = rows.filter(([, , , , readyz]) => !(readyz in SILENT));
    const told = named(shown.readyz.flatMap(({ findings = [] }) => findings));
    expect([...new Set(told)]).toEqual(rowsOf(ready));
    const advised = shown.doctor.filter(({ area, name }) => area === 'findings' && name !== 'all');
    expect(advised).toHaveLength(rows.filter((row) => row[6] === undefined).length);
  });
});

test.each(Object.entries(BROKEN))(
  '%s are told with one sentence, and nothing starts on them',
  async (_name, { says, ...fault }) => {
    const env = await brokenCopy(template, fault);
    const { stdout } = await runHere(['status', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({ error: { message: expect.stringMatching(says) as string } });
    expect((await runHere(['doctor'], env)).stdout).toMatch(new RegExp(`PROBLEM .*${says.source}`));
    const { code, stderr } = await runHere(['project'], { ...env, ADMIN_PORT: '0' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
  },
);

test('a search index that is damaged degrades the API: status asks no engine, and its feeder has not failed yet', async () => {
  const shown = await renderingsOf(template, { damage: 'search' });
  const says = /search\.db is damaged or is not a database/;
  expect(shown.status).toEqual([]);
  expect(shown.doctor.find(({ verdict }) => verdict === 'problem')?.message).toMatch(says);
  const check = shown.readyz.find(({ name }) => name === 'search');
  expect(check).toMatchObject({
    ok: true,
    degraded: true,
    findings: [{ code: 'store_fails', subject: 'search' }],
  });
  for (const said of [check?.detail, shown.en, shown.ru])
    expect(tight(String(said))).toMatch(new RegExp(tight(says.source).replaceAll(' ', '')));
  expect(shown.metrics).toMatch(/^catalog_api_ready\{check="search"\} 0$/m);
});

test('a store that takes no writes is told by the process that tries to: others see a projector that is silent', async () => {
  const write = () => Promise.reject(new RetryableError('the disk is full'));
  const shown = await renderingsOf(template, { documents: { write } });
  const [found] = shown.readyz.find(({ name }) => name === 'projector')?.findings ?? [];
  expect(found).toMatchObject({ code: 'store_fails', subject: 'documents' });
  expect(Date.parse(String(found?.since))).toBeLessThan(Date.now() - 9000);
  for (const page of [shown.en, shown.ru])
    expect(page).toContain(tight('it takes no writes: the disk is full'));
  expect(shown.metrics).toMatch(/^catalog_projector_ready 0$/m);
  expect(shown.status).toMatchObject([{ code: 'no_projector' }]);
});
