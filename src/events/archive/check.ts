import { join } from 'node:path';

import { digestOfFile } from '../../platform/file-digest.ts';
import type { Archive } from './reading.ts';
import { readSegment, type Damage, type Segment } from './segment.ts';

export interface Checked {
  readonly files: number;
  readonly records: number;
  /** How many of the records can be read. */
  readonly readable: number;
  readonly damaged: readonly DamagedFile[];
}

export interface DamagedFile {
  /** The first damage that was met in it. */
  readonly first: Damage;
  /** Places that are damaged, the first one included. */
  readonly places: number;
  readonly records: number;
  readonly readable: number;
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** Told how many records have been looked at. */
  readonly onProgress?: (records: number) => void;
}

/**
 * Compares every file of an archive with its digest; of one that differs, says where, and what of it can be read.
 * Ends early where the signal is aborted.
 */
export async function checkArchive(archive: Archive, { signal, onProgress }: CheckOptions): Promise<Checked> {
  const damaged: DamagedFile[] = [];
  let [files, records] = [0, 0];
  for (const segment of segmentsOf(archive)) {
    if (signal.aborted) break;
    const found = (await hasItsDigest(segment)) ? null : await look(segment);
    if (found) damaged.push(found);
    files += 1;
    records += segment.file.records;
    onProgress?.(records);
  }
  const lost = damaged.reduce((sum, one) => sum + one.records - one.readable, 0);
  return { files, records, readable: records - lost, damaged };
}

function segmentsOf({ folder, manifest }: Archive): readonly Segment[] {
  return manifest.topics.flatMap(({ name: topic, partitions }) =>
    partitions.flatMap(({ partition, files }) => files.map((file) => ({ folder, topic, partition, file }))),
  );
}

async function hasItsDigest({ folder, file }: Segment): Promise<boolean> {
  try {
    return (await digestOfFile(join(folder, file.path))) === file.sha256;
  } catch {
    // What is wrong with it, reading it will tell.
    return false;
  }
}

async function look(segment: Segment): Promise<DamagedFile | null> {
  const damages: Damage[] = [];
  let places = 0;
  let readable = 0;
  const note = (damage: Damage): void => {
    places += 1;
    if (places === 1) damages.push(damage);
  };
  for await (const { records } of readSegment(segment, note)) readable += records.length;
  const [first] = damages;
  return first ? { first, places, records: segment.file.records, readable } : null;
}
