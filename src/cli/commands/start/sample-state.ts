import type { Instant } from '../../../platform/instant.ts';
import {
  newVersion,
  type CollectionSpec,
  type Documents,
  type Outcome,
  type Stored,
  type Version,
} from '../../../stores/documents/port.ts';

/** One document: how far the sample has come in this log. Absent where the log was not empty at the first start. */
export interface SampleState {
  /** The moment that the sample ends at. */
  readonly end: Instant;
  /** Whether all of it has been appended. */
  readonly appended: boolean;
  /** The last round whose probes are in the log, and all before it. */
  readonly through: number;
  /** The last round that a process has set out to append: beyond `through` while it does, or where it failed. */
  readonly claimed: number;
}

/** Another document: how far the older probes have come. Absent before the first of them. */
export interface SampleHistory {
  /** The first round whose probes are in the log, and all after it. */
  readonly from: number;
}

const SAMPLE: CollectionSpec = { name: 'sample', indexes: [] };
const ID = 'catalog';
const HISTORY_ID = 'history';

export async function readSample(documents: Documents): Promise<Stored<SampleState> | null> {
  await documents.declare(SAMPLE);
  return (await documents.get<SampleState>(SAMPLE.name, [ID])).get(ID) ?? null;
}

/** `read` null: there was none. */
export async function writeSample(
  documents: Documents,
  read: Version | null,
  body: SampleState,
): Promise<{ readonly outcome: Outcome; readonly version: Version }> {
  return await write(documents, { id: ID, read, body });
}

/** The collection has to be there: `readSample` declares it. */
export async function readHistory(documents: Documents): Promise<Stored<SampleHistory> | null> {
  return (await documents.get<SampleHistory>(SAMPLE.name, [HISTORY_ID])).get(HISTORY_ID) ?? null;
}

/** A conflict is another process that has written the same, or less: nothing is lost by it. */
export async function writeHistory(
  documents: Documents,
  read: Version | null,
  body: SampleHistory,
): Promise<void> {
  await write(documents, { id: HISTORY_ID, read, body });
}

async function write(
  documents: Documents,
  given: { readonly id: string; readonly read: Version | null; readonly body: object },
): Promise<{ readonly outcome: Outcome; readonly version: Version }> {
  const version = newVersion();
  const [outcome = 'conflict'] = await documents.write(SAMPLE.name, [{ ...given, version }]);
  return { outcome, version };
}
