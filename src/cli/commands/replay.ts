import { Command, InvalidArgumentError, Option } from 'commander';

import { historyOfArchive } from '../../compose/archive-history.ts';
import { loadFormula, type LoadedFormula } from '../../compose/formula.ts';
import type { Parts } from '../../compose/parts.ts';
import { openArchive } from '../../keep/manifest.ts';
import { systemClock } from '../../platform/clock.ts';
import { commandLine } from '../../platform/command-line.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import type { Projection } from '../../projecting/engine/projection.ts';
import { decisionsOf, NONE } from '../../projecting/replay/decisions.ts';
import { historyOf, type History } from '../../projecting/replay/history.ts';
import { recordsOf } from '../../projecting/replay/records.ts';
import { asShadow, replayInto } from '../../projecting/replay/replay-into.ts';
import { spanOf, type Bound } from '../../projecting/replay/span.ts';
import { buildName } from '../../stores/builds.ts';
import { buildsOf, readAlias } from '../../stores/live.ts';
import { readShadows, SHADOWS, type Shadow } from '../../stores/shadows.ts';
import { counted } from '../../platform/amounts.ts';
import { readModelOf } from '../../operations/named-builds.ts';
import { withParts, type Finish } from '../command.ts';
import { momentBefore } from '../options.ts';
import { note, print, printJson } from '../output.ts';
import { showSteps } from '../progress.ts';
import { checkShadowName, freeName, keepsWhere, readWhere } from '../shadows.ts';
import { presentShadow } from './shadows.ts';

interface Options {
  readonly from?: Bound;
  readonly until?: Bound;
  readonly into?: string;
  readonly fromArchive?: string;
  readonly where: readonly string[];
  readonly formula?: string;
  readonly json?: boolean;
}

export function replay(_finish: Finish): Command {
  return new Command('replay')
    .argument('<read model>', 'listings, categories or monitor')
    .option('--until <moment>', 'the last moment of it (default: now)', boundOf)
    .option('--from <moment>', 'the first moment of it (default: the beginning)', boundOf)
    .option('--into <name>', 'of the shadow (default: replay-1, or the next free number)')
    .addOption(
      new Option('--where <column=value...>', 'only documents that have all of these').default([], 'all'),
    )
    .option('--from-archive <dir>', 'read what "archive" has written there, in place of the log')
    .option('--formula <file>', 'a module with another score formula, for listings')
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action((name: string, options: Options) =>
      withParts('replay', 'change', ({ parts, signal }) => run(parts, signal, name, options)),
    );
}

const HELP = `
A moment is an RFC 3339 date-time by the log's own clock, how long ago (30m, 12h, 7d), or a record: its topic, partition and
position (catalog.entries/0:123). A record stands for the moment when it was appended. It is within the bounds itself.

Examples:
  npm run -s catalog -- replay listings --until 7d --into last-week
  npm run -s catalog -- replay listings --formula weights.ts --into weights
  npm run -s catalog -- replay listings --from-archive /backup/log --into archived

Readers see nothing of it, and nothing live is touched. "shadows" lists shadows, "diff" compares one, "drop" removes it.`;

function boundOf(text: string): Bound {
  const [, topic, partition, position] = /^([\w.-]{1,249})\/(\d{1,9})[:/](\d{1,15})$/.exec(text) ?? [];
  if (topic !== undefined)
    return { kind: 'record', topic, partition: Number(partition), position: Number(position) };
  try {
    return { kind: 'time', timestamp: momentBefore(systemClock)(text) };
  } catch {
    throw new InvalidArgumentError(
      'Expected an RFC 3339 date-time, how long ago (30m, 12h, 7d), or a record (catalog.entries/0:123).',
    );
  }
}

async function run(parts: Parts, signal: AbortSignal, name: string, options: Options): Promise<void> {
  const projection = readModelOf(parts, name);
  const { into } = options;
  if (into !== undefined) checkShadowName(into);
  const where = readWhere(projection, options.where);
  const formula = options.formula === undefined ? null : await formulaFor(projection, options.formula);
  const shadow = await shadowFor(parts, formula?.projection ?? projection, into);
  const { documents, decode, topicName } = parts;
  const history = await readHistory(parts, projection, options.fromArchive);
  const total = history.partitions.reduce((sum, { earliest, end }) => sum + end - earliest, 0);
  if (total === 0) throw new PermanentError(`There is no record that ${name} is made of.`);
  const bound = (one: Bound | undefined): Bound | null => (one ? inLog(one, projection, topicName) : null);
  const span = await spanOf(history, { from: bound(options.from), until: bound(options.until), signal });
  const ranges = history.partitions.map((held) => span.rangeOf(held));
  const toRead = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const live = (await readAlias(documents, name))?.collection ?? null;
  const decisions = live === null ? NONE : await decisionsOf(documents, live);
  using steps = showSteps();
  const done = await replayInto(
    {
      documents,
      decode,
      signal,
      onProgress: {
        folded: (records) => steps.update('records folded', records, toRead),
        written: (some, all) => steps.update('documents written', some, all),
      },
    },
    {
      projection: shadow,
      told: {
        source: options.fromArchive ?? 'log',
        from: span.from,
        until: span.until,
        where,
        formula: formula && { file: formula.file, digest: await formula.digest() },
      },
      isCut: history.isCut,
      portions: () => recordsOf(history, { span, decisions, signal }),
      keeps: keepsWhere(projection, where),
    },
  );
  tell(done, buildName(shadow), live, options.json ?? false);
}

async function readHistory(
  parts: Parts,
  { topics }: Projection,
  folder: string | undefined,
): Promise<History> {
  const { clock, topicName } = parts;
  if (folder === undefined) return await historyOf(parts.log, topics.map(topicName), clock.now());
  return historyOfArchive(await openArchive(folder), { topics, topicName });
}

async function formulaFor({ name }: Projection, file: string): Promise<LoadedFormula> {
  if (name === 'listings') return await loadFormula(file);
  throw new UsageError(`--formula is for listings: ${name} has no score.`);
}

/** @throws {PermanentError} where the name is that of a build. */
async function shadowFor(
  { documents }: Parts,
  projection: Projection,
  into: string | undefined,
): Promise<Projection> {
  await documents.declare(SHADOWS);
  const shadow = asShadow(projection, into ?? freeName(await readShadows(documents), projection));
  const alias = await readAlias(documents, projection.name);
  const id = buildName(shadow);
  if (alias && [...buildsOf(alias), alias.before].includes(id))
    throw new PermanentError(`${id} is a build: take another name.`);
  return shadow;
}

/** People may leave the configured prefix of a topic out. */
function inLog(bound: Bound, { topics }: Projection, topicName: Parts['topicName']): Bound {
  if (bound.kind === 'time' || !topics.includes(bound.topic)) return bound;
  return { ...bound, topic: topicName(bound.topic) };
}

function tell(shadow: Shadow, id: string, live: string | null, isForScripts: boolean): void {
  if (isForScripts) return printJson(presentShadow({ ...shadow, id }));
  const { made } = shadow;
  if (!made) throw new Error(`${id} is not finished`);
  if (made.is_cut) note('Not all of history is held any more: the shadow lacks what stood in the rest.');
  if (made.left_out > 0)
    note(`${counted(made.left_out, 'record')} left out: parked, discarded, or not to be decoded.`);
  print(
    `${id}: ${counted(made.documents, 'document')} of ${counted(made.records, 'record')}, digest ${made.digest.slice(0, 12)}.`,
  );
  if (live !== null) print(`Compare: ${commandLine(`diff ${live} ${id}`)}`);
}
