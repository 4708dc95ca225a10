import type { Parts } from '../../compose/parts.ts';
import { readPartition, type Archive } from '../../keep/archive-reader.ts';
import { openArchive } from '../../keep/manifest.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import { unixMs } from '../../platform/time/instant.ts';
import type { Projection } from '../../projecting/engine/projection.ts';
import { omissionsOf, NONE } from '../../projecting/replay/build-omissions.ts';
import { historyOf, lengthOf, spanOf, type History } from '../../projecting/replay/history.ts';
import { shadowProjection, replayInto } from '../../projecting/replay/replay-into.ts';
import { buildName } from '../../stores/build-names.ts';
import { buildsOf, readAlias } from '../../stores/aliases.ts';
import { readShadows, SHADOWS } from '../../stores/shadows.ts';
import { readModelOf } from '../named-builds.ts';
import { loadFormula, type LoadedFormula } from './formula.ts';
import { checkShadowName, freeName } from './shadow-names.ts';

interface ReplayRequest {
  /** `listings` */
  readonly name: string;
  /** Unix milliseconds. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** The name of the shadow; the next free one without it. */
  readonly into?: string | undefined;
  /** The folder of an archive, to be read in place of the log. */
  readonly fromArchive?: string | undefined;
  /** A module with another score formula. */
  readonly formula?: string | undefined;
  readonly onProgress: (what: string, done: number, total: number) => void;
}

export type ReplayReport = Awaited<ReturnType<typeof replay>>;

/**
 * Folds a part of history into a shadow, which nothing serves. `live`: the build that readers see, to compare it with; null before
 * the first start.
 * @throws {UsageError} where there is no such read model, archive or formula, or nothing of that time.
 * @throws {PermanentError} where the name is taken, and where nothing can be made of it.
 */
export async function replay(
  parts: Parts,
  signal: AbortSignal,
  { name, from, until, into, fromArchive, formula: file, onProgress }: ReplayRequest,
) {
  const projection = readModelOf(parts, name);
  const formula = file === undefined ? null : await formulaFor(projection, file);
  const alias = await readAlias(parts.documents, name);
  const shadow = await shadowFor(parts, formula?.projection ?? projection, into);
  const id = buildName(shadow);
  if (alias && [...buildsOf(alias), alias.before].includes(id))
    throw new PermanentError(`${id} is a build: take another name.`);
  const { log, topicName } = parts;
  const { topics } = projection;
  const history =
    fromArchive === undefined
      ? await historyOf(log, topics.map(topicName))
      : historyOfArchive(await openArchive(fromArchive), topics, topicName);
  const toRead = lengthOf(history);
  if (toRead === 0) throw new PermanentError(`There is no record that ${name} is made of.`);
  const { documents, decode, clock } = parts;
  const bounds = { from: from ?? null, until: until ?? null };
  const span = await spanOf(history, { ...bounds, now: clock.now(), signal });
  const omissions = alias ? await omissionsOf(documents, alias.collection) : NONE;
  const made = await replayInto(
    {
      documents,
      decode,
      signal,
      onProgress: {
        folded: (records) => onProgress('records folded', records, toRead),
        written: (some, all) => onProgress('documents written', some, all),
      },
    },
    {
      projection: shadow,
      told: {
        source: fromArchive ?? 'log',
        formula: formula && { file: formula.file, digest: await formula.digest() },
      },
      history,
      span,
      omissions,
    },
  );
  return { id, shadow: made, live: alias?.collection ?? null };
}

async function formulaFor({ name }: Projection, file: string): Promise<LoadedFormula> {
  if (name === 'listings') return await loadFormula(file);
  throw new UsageError(`--formula is for listings: ${name} has no score.`);
}

async function shadowFor({ documents }: Parts, projection: Projection, into: string | undefined) {
  if (into !== undefined) checkShadowName(into);
  await documents.declare(SHADOWS);
  return shadowProjection(projection, into ?? freeName(await readShadows(documents), projection));
}

/** What an archive holds of these topics of the contract, under the names of this installation. Reading throws `PermanentError` where a file of it is damaged. */
function historyOfArchive(
  archive: Archive,
  topics: readonly string[],
  topicName: (topic: string) => string,
): History {
  const { updated_at, topics: archived } = archive.manifest;
  const found = archived
    .filter(({ name }) => topics.includes(name))
    .flatMap(({ name, partitions }) =>
      partitions.map((own) => ({
        own,
        name,
        held: { topic: topicName(name), partition: own.partition, earliest: own.from, end: own.to },
      })),
    );
  return {
    partitions: found.map(({ held }) => held),
    isCut: found.some(({ own }) => own.from > 0 || own.gaps.length > 0),
    endsAt: unixMs(updated_at),
    read: async function* (asked, signal) {
      const one = found.find(({ held }) => held === asked);
      if (!one) return;
      const topic = asked.topic;
      for await (const batch of readPartition(archive, one.name, one.own, signal)) {
        const records = batch.records.map((record) => ({ ...record, topic }));
        const unreadable = batch.unreadable?.map((range) => ({ ...range, topic }));
        yield { ...batch, records, ...(unreadable && { unreadable }) };
      }
    },
  };
}
