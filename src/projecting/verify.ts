import type { Decode } from '../events/decode.ts';
import type { LogRecord } from '../events/log/port.ts';
import { canonical, sha256 } from '../platform/canonical.ts';
import { messageOf } from '../platform/errors.ts';
import type { Json } from '../platform/json.ts';
import type { Stored } from '../stores/documents/port.ts';
import { laneName } from './lane.ts';
import { PARKED, parkedId } from './parking.ts';
import { readProgress, type LaneProgress, type ProgressParts } from './progress.ts';
import { collectionOf, evolve, type Projection, type ReadModelDocument } from './projection.ts';

/**
 * Verification: the documents of a read model against a fold of the log made anew, byte for byte. It may run beside
 * working projectors: documents that moved while they were compared are compared again, up to a newer checkpoint.
 */
export interface VerifyParts extends ProgressParts {
  readonly decode: Decode;
  readonly signal: AbortSignal;
  /** Called with the number of records folded so far and the number to fold in all. */
  readonly onProgress?: (records: number, total: number) => void;
}

export interface Verification {
  readonly readModel: string;
  readonly ok: boolean;
  readonly documents: number;
  readonly records: number;
  /** SHA-256 over ids and digests of all documents' registers, ascending by id: equal states have equal digests. */
  readonly digest: string;
  /** True where the log was cut: then its fold must be contained in the documents, not equal to them. */
  readonly logCut: boolean;
  readonly findings: readonly Finding[];
}

export interface Finding {
  /** A document's id, or the name of a lane or of a record in it. */
  readonly where: string;
  readonly problem: string;
}

/** Findings listed at most; a broken store must not fill the terminal. */
const LISTED = 100;
const MISSING = 'missing: events define it';
/** How often documents that were being written are compared again. */
const ROUNDS = 10;

export async function verifyProjection(projection: Projection, parts: VerifyParts): Promise<Verification> {
  const run = await foldLog(projection, parts, null);
  const suspects = new Map<string, string>();
  const digests: string[] = [];
  const seen = new Set<string>();
  for await (const batch of parts.documents.scan<ReadModelDocument>(collectionOf(projection))) {
    for (const stored of batch) {
      seen.add(stored.id);
      digests.push(`${stored.id} ${sha256(text(stored.body.registers))}`);
      const problem = compare(projection, stored, run.registers.get(stored.id), run.logCut);
      if (problem) suspects.set(stored.id, problem);
    }
  }
  for (const id of run.registers.keys()) if (!seen.has(id)) suspects.set(id, MISSING);
  const left = await compareAgain(projection, parts, suspects, run);
  const findings = [...[...left].map(([where, problem]) => ({ where, problem })), ...run.findings];
  return {
    readModel: collectionOf(projection),
    ok: findings.length === 0,
    documents: seen.size,
    records: run.records,
    digest: sha256(digests.join('\n')),
    logCut: run.logCut,
    findings: findings.slice(0, LISTED),
  };
}

/** Suspects may only have been written between the fold and the scan: they are judged by a fold that is newer. */
async function compareAgain(
  projection: Projection,
  parts: VerifyParts,
  suspects: Map<string, string>,
  first: LogFold,
): Promise<Map<string, string>> {
  let left = suspects;
  let cut = first.cut;
  for (let round = 0; round < ROUNDS && left.size > 0; round += 1) {
    const newer = await cutOf(projection, parts);
    const moved = newer.some((lane, index) => lane.position !== cut[index]?.position);
    if (!moved && round > 0) break;
    const ids = new Set(left.keys());
    const stored = await parts.documents.get<ReadModelDocument>(collectionOf(projection), [...ids]);
    const again = await foldLog(projection, parts, ids);
    cut = again.cut;
    left = new Map();
    for (const id of ids) {
      const document = stored.get(id);
      const registers = again.registers.get(id);
      const problem = document
        ? compare(projection, document, registers, again.logCut)
        : registers === undefined
          ? null
          : MISSING;
      if (problem) left.set(id, problem);
    }
  }
  return left;
}

function compare(
  projection: Projection,
  { id, body }: Stored<ReadModelDocument>,
  folded: unknown,
  logCut: boolean,
): string | null {
  try {
    if (folded === undefined && !logCut) return 'unexplained: no event in the log defines it';
    const stored = text(projection.trim(body.registers));
    const expected = logCut
      ? projection.registers.join(body.registers, folded ?? projection.registers.empty)
      : folded;
    if (stored !== text(projection.trim(expected))) return 'its registers differ from the fold of the log';
    if (text(body.view) !== text(projection.view(id, body.registers))) {
      return 'its view differs from what its registers say';
    }
    return null;
  } catch (thrown) {
    return `it cannot be read: ${String(thrown)}`;
  }
}

function text(value: unknown): string {
  return canonical(value as Json);
}

interface LogFold {
  readonly registers: Map<string, unknown>;
  readonly records: number;
  readonly logCut: boolean;
  /** The lanes with the positions that the fold went up to. */
  readonly cut: readonly LaneProgress[];
  readonly findings: readonly Finding[];
}

async function cutOf(projection: Projection, parts: ProgressParts): Promise<readonly LaneProgress[]> {
  return readProgress({ ...parts, projections: [projection] });
}

/** Folds every record up to the checkpoints that are not parked; of these documents only, where `ids` is given. */
async function foldLog(
  projection: Projection,
  parts: VerifyParts,
  ids: ReadonlySet<string> | null,
): Promise<LogFold> {
  const cut = await cutOf(projection, parts);
  const registers: Map<string, unknown> = new Map();
  const findings: Finding[] = [];
  const total = cut.reduce((sum, lane) => sum + Math.max(0, (lane.position ?? 0) - lane.earliest), 0);
  let records = 0;
  for (const lane of cut) {
    if (lane.position === null || lane.position <= lane.earliest) continue;
    const before = records;
    const { topic, partition, earliest: from, position: to } = lane;
    for await (const batch of parts.log.read({ topic, partition, from, to, signal: parts.signal })) {
      const parked = await parts.documents.versions(
        PARKED.name,
        batch.records.map((record) => parkedId(lane, record.position)),
      );
      for (const record of batch.records) {
        const id = parkedId(lane, record.position);
        const problem = parked.has(id) ? null : foldRecord(projection, parts.decode, record, ids, registers);
        if (problem) findings.push({ where: id, problem: `neither applied nor parked: ${problem}` });
      }
      records += batch.records.length;
      parts.onProgress?.(records, total);
    }
    findings.push(...countsAddUp(lane, records - before));
  }
  return { registers, records, logCut: cut.some((lane) => lane.earliest > 0), cut, findings };
}

/** Returns why the record cannot be folded, where it cannot. */
function foldRecord(
  projection: Projection,
  decode: Decode,
  record: LogRecord,
  ids: ReadonlySet<string> | null,
  registers: Map<string, unknown>,
): string | null {
  const decoded = decode(record);
  if (decoded.outcome === 'skipped') return null;
  if (decoded.outcome === 'rejected') return decoded.rejection.reason;
  try {
    const id = projection.documentId(decoded.event);
    if (id === null || (ids && !ids.has(id))) return null;
    registers.set(id, evolve(projection, registers.get(id) ?? projection.registers.empty, decoded.event));
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** Nothing is lost: what the checkpoint says it applied, superseded, parked and ignored is every record there was. */
function countsAddUp(lane: LaneProgress, read: number): readonly Finding[] {
  if (!lane.checkpoint || lane.earliest > 0) return [];
  const { applied, superseded, parked, ignored } = lane.checkpoint.counts;
  const counted = applied + superseded + parked + ignored;
  if (counted === read) return [];
  return [
    { where: laneName(lane), problem: `its counts add up to ${counted} records, the log holds ${read}` },
  ];
}
