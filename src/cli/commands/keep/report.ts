import type { ArchiveResult } from '../../../keep/archive.ts';
import { damagedFiles, type DamagedFile } from '../../../keep/damaged-files.ts';
import { segmentsOf, type KeptFile, type SegmentFile } from '../../../keep/manifest.ts';
import { counted, duration, number } from '../../../texts/plain.ts';
import { note, print, printJson } from '../../output.ts';
import { showProgress } from '../../progress.ts';

/** What `keep archive` says of what it wrote, and of what it found. */

export function reportArchived(archived: ArchiveResult, tookMs: number, json: boolean | undefined): void {
  const { manifest, records, files, gaps, interrupted } = archived;
  const all = segmentsOf(manifest);
  const total = recordsIn(all);
  const unreadable = all.reduce((sum, file) => sum + file.unreadable, 0);
  if (json) {
    const took_ms = Math.round(tookMs);
    printJson({ records, files, total_records: total, unreadable, gaps, interrupted, took_ms });
    return;
  }
  for (const { topic, partition, from, to } of gaps) {
    print(
      `GAP ${topic}/${partition}: positions ${from} to ${to - 1} had gone from the log before they were archived.`,
    );
  }
  print(
    `${counted(records, 'record')} archived in ${duration(tookMs)}, in ${counted(files, 'new file')}; the archive has ${number(total)}.`,
  );
  if (unreadable > 0) note(`${counted(unreadable, 'range')} of positions could not be read from the log.`);
  if (interrupted) note('catalog: stopped before everything was archived: the next run goes on.');
}

/** Of all those files; while a person looks on. */
export async function findDamaged<File extends KeptFile>(
  folder: string,
  files: readonly File[],
  signal: AbortSignal,
) {
  using progress = showProgress();
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const onProgress = (done: number): void => progress.update('bytes checked', done, total);
  return await damagedFiles(folder, files, { signal, onProgress });
}

type Damaged = readonly DamagedFile<SegmentFile>[];

export function reportChecked(
  files: readonly SegmentFile[],
  damaged: Damaged,
  interrupted: boolean,
  json: boolean | undefined,
): void {
  const records = recordsIn(files);
  if (json) {
    const ok = damaged.length === 0 && !interrupted;
    const readable = records - recordsIn(damaged.map(({ file }) => file));
    const told = damaged.map(({ file, problem }) => ({ path: file.path, problem, records: file.records }));
    return printJson({ ok, files: files.length, records, readable, damaged: told, interrupted });
  }
  for (const one of damaged) print(damageLine(one));
  if (damaged.length > 0) print(damageSummary(files, damaged));
  else print(`All of ${counted(files.length, 'file')} are whole: ${counted(records, 'record')}.`);
  if (interrupted) note('catalog: stopped before everything was looked at.');
}

/** `DAMAGED catalog.entries/0/....ndjson.gz: it is not as it was written (SHA-256). It has 212 records.` */
export function damageLine({ file: { path, records }, problem }: DamagedFile<SegmentFile>): string {
  return `DAMAGED ${path}: ${problem}. It has ${counted(records, 'record')}.`;
}

export function damageSummary(files: readonly SegmentFile[], damaged: Damaged): string {
  const records = recordsIn(files);
  const readable = records - recordsIn(damaged.map(({ file }) => file));
  return `${number(files.length - damaged.length)} of ${counted(files.length, 'file')} are whole; ${number(readable)} of ${counted(records, 'record')} stand in them.`;
}

function recordsIn(files: readonly SegmentFile[]): number {
  return files.reduce((sum, { records }) => sum + records, 0);
}
