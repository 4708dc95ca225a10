import type { Instant } from '../platform/instant.ts';
import {
  newVersion,
  type CollectionSpec,
  type Documents,
  type Outcome,
  type Stored,
  type Version,
} from '../stores/documents/port.ts';

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

const SAMPLE: CollectionSpec = { name: 'sample', indexes: [] };
const ID = 'catalog';

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
  const version = newVersion();
  const [outcome = 'conflict'] = await documents.write(SAMPLE.name, [{ id: ID, read, version, body }]);
  return { outcome, version };
}
