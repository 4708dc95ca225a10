import type { LogRecord } from '../../src/events/log/port.ts';
import { decode, isVersioned, markOf, type Registers } from './notes-and-marks.ts';
import type { NoteEvent } from '../support/fake-projection.ts';
import { shortDigest, type RegisterValue } from '../../src/projecting/engine/register.ts';

/** What has to become of records, told without the engine: the plain rules, slowly. */

export type Expected =
  /** Neither folded nor parked: tombstones of the log and events of no document. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'parked' }
  | { readonly kind: 'folded'; readonly fact: Fact }
  /**
   * Its state has no view: parked, where it is not already superseded when its turn comes. Or the release did not know it
   * then: parked until somebody redrives it.
   */
  | { readonly kind: 'either'; readonly fact: Fact };

/** What one event says about one document. */
export interface Fact {
  readonly id: string;
  /** null for the note itself, else the key of a mark. */
  readonly mark: string | null;
  readonly written: RegisterValue<string>;
}

/** A record never changes, and is asked for at many writes. */
const known = new WeakMap<LogRecord, Expected>();

export function expectedOf(record: LogRecord): Expected {
  const expected = known.get(record) ?? read(record);
  known.set(record, expected);
  return expected;
}

function read(record: LogRecord): Expected {
  const decoded = decode(record);
  if (decoded.outcome === 'skipped') return { kind: 'ignored' };
  if (decoded.outcome === 'rejected') return { kind: 'parked' };
  const { type, subject, digest, data } = decoded.event as NoteEvent;
  if (data.text === 'not ours') return { kind: 'ignored' };
  if (data.text === 'boom' || data.text === 'no document') return { kind: 'parked' };
  const isNote = type === 'note';
  const isEither = isVersioned(data.text) || (isNote && data.text === 'no view');
  const written = { at: data.revision, digest: shortDigest(digest), value: data.text };
  const fact = { id: subject, mark: isNote ? null : markOf(data.revision), written };
  return { kind: isEither ? 'either' : 'folded', fact };
}

/** The registers of each document: of all that is said of one register, the greatest stands. */
export function foldNaively(facts: readonly Fact[]): ReadonlyMap<string, Registers> {
  const documents = new Map<string, Writable>();
  for (const { id, mark, written } of facts.toSorted((a, b) => compare(a.written, b.written))) {
    const registers = documents.get(id) ?? { note: null, marks: {} };
    documents.set(id, registers);
    if (mark === null) registers.note = written;
    else registers.marks[mark] = written;
  }
  return documents;
}

interface Writable {
  note: RegisterValue<string> | null;
  readonly marks: Record<string, RegisterValue<string>>;
}

/** By revision, then a tombstone after a value, then by digest. */
function compare(a: RegisterValue<string>, b: RegisterValue<string>): number {
  const byRevision = Number(a.at) - Number(b.at);
  const byTombstone = Number(a.value === null) - Number(b.value === null);
  return byRevision || byTombstone || (a.digest < b.digest ? -1 : 1);
}

/** The revision that a register has reached; -1 where it is empty. */
export function revisionOf(registers: Registers | undefined, mark: string | null): number {
  const written = mark === null ? registers?.note : registers?.marks[mark];
  return Number(written?.at ?? -1);
}
