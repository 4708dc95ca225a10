import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newKey } from '../../../src/access/keys/key-format.ts';
import { createProgram } from '../../../src/cli/program.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { ensureTopics } from '../../../src/compose/projector.ts';
import { PARKED, type ParkedEvent } from '../../../src/projecting/engine/parking.ts';
import { collectionOf, collectionSpec } from '../../../src/projecting/engine/projection.ts';
import { leavesOf, neededOptions, usualArguments, type Leaf } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { WORKERS, type Worker } from '../../../src/stores/workers.ts';
import { SHADOWS, type Shadow } from '../../../src/stores/shadows.ts';
import { DECEIVES, HOSTILE } from '../../support/hostile-text.ts';
import { runHere } from '../../support/run-here.ts';
import { openParts } from '../../support/parts.ts';
import { putDocument } from '../../support/documents.ts';

/** Every class of hostile character, and two secrets, in one text that forges a line of ours. */
const KEY = newKey();
const TEXT = `${Object.values(HOSTILE).join(' ')} ${KEY} mongodb://me:s3cret@db `;
/** The same, where SQLite or the file system would not take a surrogate that stands alone. */
const STORED = TEXT.toWellFormed();

let folder: string;
let parts: Parts;
let file: string;
let formula: string;

/** Stores whose every text is hostile, as somebody who may write to the log or the stores could leave them. */
beforeAll(async () => {
  folder = temporaryFolder();
  parts = await openParts({ CATALOG_DATA: folder });
  await ensureTopics(parts);
  for (const projection of parts.projections) await parts.documents.declare(collectionSpec(projection));
  await parts.documents.declare(PARKED);
  const { documents } = parts;
  await putDocument(documents, PARKED.name, STORED, parkedEvent());
  const rejection = { type: 'catalog.event.rejected.v1', id: STORED, data: rejected() };
  const foreign = [
    '{"id":"x","data":null}',
    'null',
    '[]',
    '{"data":{"reason":"x"}}',
    '"x"',
    '\u0000',
    STORED,
  ];
  const value = (text: string) => ({
    topic: 'catalog.rejected',
    key: STORED,
    value: Buffer.from(text),
    headers: {},
  });
  await parts.log.append([value(JSON.stringify(rejection)), ...foreign.map(value)]);
  const record = { topic: 'catalog.entries', value: Buffer.from(`{"id": ${JSON.stringify(STORED)}}`) };
  await parts.log.append([{ ...record, key: STORED, headers: { [STORED]: STORED } }]);
  const [projection] = parts.projections;
  if (!projection) throw new Error('there is no projection');
  const body = { registers: {}, view: {}, dirty: { mark: 'refused', reason: STORED } };
  await putDocument(documents, collectionOf(projection), STORED.slice(0, 200), body);
  await parts.documents.declare(WORKERS);
  const lanes = { [STORED]: { state: 'paused', since: 0, reason: STORED } } as const;
  const worker: Worker = { at: Date.now(), where: STORED, ok: false, detail: STORED, lanes };
  await putDocument(documents, WORKERS.name, 'w', worker);
  await parts.documents.declare(SHADOWS);
  const told = { source: STORED, from: STORED, until: STORED };
  const shadow: Shadow = {
    ...told,
    read_model: STORED,
    name: STORED,
    formula: { file: STORED, digest: STORED },
    began_at: 0,
    made: null,
  };
  await putDocument(documents, SHADOWS.name, STORED, shadow);
  formula = join(folder, 'formula.ts');
  writeFileSync(formula, `throw new Error(${JSON.stringify(STORED)});`);
  file = join(folder, `${nameOf(STORED)}.ndjson`);
  writeFileSync(file, `${JSON.stringify({ [TEXT]: 1, type: TEXT, id: TEXT })}\n${STORED}\n`);
});
afterAll(() => parts[Symbol.asyncDispose]());

/** As a file may be called. */
function nameOf(text: string): string {
  return text.replaceAll('/', '-').slice(0, 60);
}

function rejected() {
  const names = { id: STORED, source: STORED, type: STORED, subject: STORED };
  const place = { topic: STORED, partition: 0, position: 0 };
  return { code: STORED, reason: STORED.slice(0, 500), ...names, read_model: STORED, ...place };
}

function parkedEvent(): ParkedEvent {
  const { code: _code, read_model: readModel, ...rest } = rejected();
  return {
    ...rest,
    readModel,
    state: 'parked',
    timestamp: 0,
    key: STORED,
    headers: { [STORED]: STORED },
    value: Buffer.from(STORED).toString('base64'),
    rejection: { ...rest, code: 'bad_data' },
    parkedAt: 0,
    redrives: 0,
  };
}

const leaves = leavesOf(await createProgram(() => undefined));
/** These run until they are stopped, or for long: they are called wrongly alone. */
const ENDLESS = new Set(['start', 'serve', 'accounts serve', 'project', 'simulate']);
/** What is asked for by flags. */
const MORE: Readonly<Record<string, () => readonly (readonly string[])[]>> = {
  publish: () => [[file, '--dry-run'], [folder]],
  history: () => [['--top', '--at', '0s']],
  search: () => [['x', '--explain']],
  query: () => [['--views'], ['SELECT * FROM events']],
  'keep archive': () => [[join(folder, nameOf(STORED)), '--check']],
  'keep restore': () => [[folder], [join(folder, nameOf(STORED))]],
  'parked redrive': () => [['--all']],
  'shadows replay': () => [['listings', '--formula', formula]],
};

/** Each argument and each option with hostile text, and a call that is as it should be. */
function callsOf(leaf: Leaf): readonly (readonly string[])[] {
  const { name, command } = leaf;
  const given = (named: string, text: string): string => {
    if (/\bfiles$/.test(named)) return file;
    return /\b(?:dir|file)\b/.test(named) ? join(folder, nameOf(STORED)) : text;
  };
  const args = (text?: string) =>
    command.registeredArguments.map((argument, at) =>
      given(argument.name(), text ?? usualArguments(leaf)[at] ?? ''),
    );
  const needed = neededOptions(leaf);
  const options = command.options.flatMap(({ long, flags, required }) =>
    long && required ? [[...needed, ...args(), long, given(flags, TEXT)]] : [],
  );
  if (ENDLESS.has(name)) return options;
  const calls = [args(), args(TEXT), args(STORED)].map((own) => [...needed, ...own]);
  return [...calls, ...options, ...(MORE[name]?.() ?? [])];
}

describe.each(leaves.map((leaf) => [leaf.name, leaf] as const))('%s', (name, leaf) => {
  test.each(['for people', 'for scripts'])(
    'lets nothing out that steers a terminal, or that is a key: %s',
    async (whom) => {
      const isVariadic = leaf.command.registeredArguments.some(({ variadic }) => variadic);
      const wrong = [[`--${TEXT}`], ...(isVariadic ? [] : [['surplus', 'surplus', 'surplus', TEXT]])];
      for (const args of [...callsOf(leaf), ...wrong]) {
        const json = whom === 'for scripts' ? ['--json'] : [];
        const { stdout, stderr } = await runHere([...name.split(' '), ...args, ...json], {
          CATALOG_DATA: folder,
        });
        expectHarmless(stdout);
        expectHarmless(stderr);
        expect(json.length === 0 || isJson(stdout), `${args.join(' ')}: ${stdout}`).toBe(true);
      }
    },
  );
});

test('a wrong environment is said on one line that is harmless', async () => {
  for (const variable of [
    'PORT',
    'CATALOG_SAMPLE',
    'CATALOG_MONITOR_POLICY',
    `CATALOG_${STORED.replaceAll('=', '')}`,
  ]) {
    const env = { CATALOG_DATA: folder, [variable]: STORED };
    const { stdout, stderr } = await runHere(['status'], env);
    expectHarmless(stdout);
    expectHarmless(stderr);
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function expectHarmless(output: string): void {
  for (const line of output.split('\n')) {
    expect(line).not.toMatch(DECEIVES);
    expect(line).not.toMatch(/^catalog: forged/);
  }
  expect(output).not.toContain(KEY.slice(9, 20));
  expect(output).not.toContain('s3cret');
  // A stack is for a fault of ours, and nothing here is one.
  expect(output).not.toMatch(/^\s+at .+:\d+/m);
}
