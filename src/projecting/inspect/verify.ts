import { canonical, sha256 } from '../../platform/canonical.ts';
import type { Json } from '../../platform/json-value.ts';
import type { Stored } from '../../stores/documents/port.ts';
import {
  difference,
  foldFurther,
  foldLog,
  PORTION,
  type Difference,
  type FoldParts,
  type LogFold,
} from './log-fold.ts';
import { collectionOf, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import { outsideOf } from '../engine/retention-sweep.ts';

/**
 * Verification: the documents of a read model against a fold of the log from its beginning, byte for byte. It may run beside
 * working projectors, and after one was killed between a write and its checkpoint: a document that is not equal to the
 * fold up to the checkpoints must lie between that and the fold of all there is, both of them compared by the join.
 */
export interface Verification {
  readonly readModel: string;
  readonly ok: boolean;
  readonly documents: number;
  readonly records: number;
  /** Records that were in the log and not yet consumed. */
  readonly lag: number;
  /** SHA-256 over ids and digests of all documents' registers, ascending by id: equal states have equal digests. */
  readonly digest: string;
  /** True where the log was cut: then its fold must be contained in the documents, not equal to them. */
  readonly logCut: boolean;
  readonly problems: number;
  /** The first of them. */
  readonly findings: readonly Difference[];
}

/** Findings listed at most; a broken store must not fill the terminal. */
const LISTED = 100;

/** @throws {StoppedError} where the signal was aborted. */
export async function verifyProjection(projection: Projection, parts: FoldParts): Promise<Verification> {
  const fold = await foldLog(projection, parts);
  const { suspects, problems, digest, documents } = await compareAll(projection, parts, fold);
  const ids = new Set(suspects.map(({ id }) => id));
  const further = ids.size > 0 ? await foldFurther(projection, parts, fold, ids) : new Map<string, unknown>();
  for (const stored of suspects) {
    const [lower, upper] = [fold.registers.get(stored.id), further.get(stored.id)];
    const problem = judge(projection, stored, lower, upper, fold.logCut);
    if (problem) problems.push(problem);
  }
  const findings = [...problems, ...fold.findings];
  return {
    readModel: collectionOf(projection),
    ok: findings.length === 0,
    documents,
    records: fold.records,
    lag: fold.lanes.reduce((sum, lane) => sum + lane.lag, 0),
    digest,
    logCut: fold.logCut,
    problems: findings.length,
    findings: findings.slice(0, LISTED),
  };
}

/** `suspects`: documents whose registers are not those of the fold. */
async function compareAll(projection: Projection, parts: FoldParts, fold: LogFold) {
  const suspects: Stored<ReadModelDocument>[] = [];
  const problems: Difference[] = [];
  const digests: string[] = [];
  const missing = new Set(fold.registers.keys());
  const ids = new Set(missing);
  for await (const batch of parts.documents.scan<ReadModelDocument>(collectionOf(projection))) {
    for (const stored of batch) {
      const { id, body } = stored;
      missing.delete(id);
      ids.add(id);
      digests.push(`${id} ${sha256(text(body.registers))}`);
      if (digests.length % PORTION === 0) await parts.rest?.();
      const folded = fold.registers.get(id);
      if (folded === undefined || trimmed(projection, folded) !== trimmed(projection, body.registers))
        suspects.push(stored);
      const problem = viewProblem(projection, stored);
      if (problem) problems.push(problem);
    }
  }
  // Swept, about to be, or begun again by a late event: any of them is right.
  const outside = new Set(outsideOf(projection, ids));
  for (const id of missing.difference(outside)) problems.push(difference(id, 'missing'));
  return {
    suspects: suspects.filter(({ id }) => !outside.has(id)),
    problems,
    documents: digests.length,
    digest: sha256(digests.join('\n')),
  };
}

function viewProblem(projection: Projection, { id, body }: Stored<ReadModelDocument>): Difference | null {
  try {
    const isRight = text(body.view) === text(projection.view(id, body.registers));
    return isRight ? null : difference(id, 'view_differs');
  } catch (thrown) {
    return difference(id, 'view_fails', String(thrown));
  }
}

/**
 * @param lower the fold up to the checkpoints; undefined where no event of it belongs to the document.
 * @param upper the fold of everything in the log.
 */
function judge(
  projection: Projection,
  { id, body: { registers } }: Stored<ReadModelDocument>,
  lower: unknown,
  upper: unknown,
  logCut: boolean,
): Difference | null {
  const { empty } = projection.registers;
  if (upper === undefined && !logCut) return difference(id, 'unexplained');
  const isBetween =
    contains(projection, registers, lower ?? empty) &&
    (logCut || contains(projection, upper ?? empty, registers));
  return isBetween ? null : difference(id, 'registers_differ');
}

/** Whether joining `part` to `whole` changes nothing, from either side: the same revision with another value does. */
function contains(projection: Projection, whole: unknown, part: unknown): boolean {
  const expected = trimmed(projection, whole);
  return (
    trimmed(projection, projection.registers.join(whole, part)) === expected &&
    trimmed(projection, projection.registers.join(part, whole)) === expected
  );
}

function trimmed(projection: Projection, registers: unknown): string {
  return text(projection.trim(registers));
}

function text(value: unknown): string {
  return canonical(value as Json);
}
