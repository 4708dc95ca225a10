import { TOPICS } from '../../events/event-types.ts';
import { archiveLog, type ArchiveResult } from '../../keep/archive-log.ts';
import { backUp } from '../../keep/backup-and-restore.ts';
import { type DamagedFile, damagedFiles, lostFiles } from '../../keep/damaged-files.ts';
import { type KeptFile, openArchive, type SegmentFile, segmentsOf } from '../../keep/manifest.ts';
import { stopSignal } from '../../platform/stop-signal.ts';
import { counted, duration, number } from '../../texts/english-amounts.ts';
import { command, commandOf, type ExitCode, withParts } from '../command.ts';
import { argument, flag } from '../option-builders.ts';
import { note, print, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { table } from '../table.ts';

export const archive = command({
  takes: {
    dir: argument('<dir>', 'the folder of the archive: a new one, or one to go on with'),
    check: flag('write nothing: compare every file with its digest, and say what is damaged'),
  },
  run: ({ dir, check: isCheck, json }) => (isCheck ? check(dir, json) : write(dir, json)),
});

function write(dir: string, json: boolean | undefined): Promise<ExitCode> {
  return withParts('keep archive', 'read', async ({ parts, signal }) => {
    const { config, log, clock } = parts;
    const started = clock.monotonic();
    using progress = showProgress();
    const { manifest, ...run } = await archiveLog(log, dir, {
      topics: TOPICS.map(({ name }) => name),
      topicPrefix: config.topicPrefix,
      now: () => clock.now(),
      signal,
      onProgress: (done, total) => progress.update('records archived', done, total),
    });
    const all = segmentsOf(manifest);
    const unreadable = all.reduce((sum, one) => sum + one.unreadable, 0);
    const lost = await lostFiles(dir, all);
    const took_ms = Math.round(clock.monotonic() - started);
    const told = { ...run, total_records: recordsIn(all), unreadable, took_ms };
    if (json) printJson({ ...told, damaged: damageTold(lost) });
    else tellArchived(told, lost);
    return run.gaps.length > 0 || lost.length > 0 || run.interrupted ? 1 : 0;
  });
}

type Archived = Omit<ArchiveResult, 'manifest'> &
  Readonly<Record<'total_records' | 'unreadable' | 'took_ms', number>>;

function tellArchived(told: Archived, lost: readonly DamagedFile<SegmentFile>[]): void {
  const { records, files, gaps, total_records, unreadable, took_ms } = told;
  for (const { topic, partition, from, to } of gaps)
    print(
      `GAP ${topic}/${partition}: positions ${from} to ${to - 1} had gone from the log before they were archived.`,
    );
  print(lost.map(damageLine));
  print(
    `${counted(records, 'record')} archived in ${duration(took_ms)}, in ${counted(files, 'new file')}; the archive has ${number(total_records)}.`,
  );
  if (unreadable > 0) note(`${counted(unreadable, 'range')} of positions could not be read from the log.`);
  if (told.interrupted) note('catalog: stopped before everything was archived: the next run goes on.');
}

async function check(dir: string, json: boolean | undefined): Promise<ExitCode> {
  using signal = stopSignal();
  const { folder, manifest } = await openArchive(dir);
  const files = segmentsOf(manifest);
  const damaged = await findDamaged(folder, files, signal);
  const { aborted: interrupted } = signal;
  const ok = damaged.length === 0 && !interrupted;
  const records = recordsIn(files);
  if (json) {
    const readable = records - recordsIn(damaged.map(({ file }) => file));
    printJson({ ok, files: files.length, records, readable, damaged: damageTold(damaged), interrupted });
    return ok ? 0 : 1;
  }
  for (const one of damaged) print(damageLine(one));
  if (damaged.length > 0) print(damageSummary(files, damaged));
  else print(`All of ${counted(files.length, 'file')} are whole: ${counted(records, 'record')}.`);
  if (interrupted) note('catalog: stopped before everything was looked at.');
  return ok ? 0 : 1;
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

/** `DAMAGED catalog.entries/0/....ndjson.gz: it is not as it was written (SHA-256). It has 212 records.` */
export function damageLine({ file: { path, records }, problem }: DamagedFile<SegmentFile>): string {
  return `DAMAGED ${path}: ${problem}. It has ${counted(records, 'record')}.`;
}

function damageTold(damaged: readonly DamagedFile<SegmentFile>[]) {
  return damaged.map(({ file, problem }) => ({ path: file.path, problem, records: file.records }));
}

export function damageSummary(
  files: readonly SegmentFile[],
  damaged: readonly DamagedFile<SegmentFile>[],
): string {
  const records = recordsIn(files);
  const readable = records - recordsIn(damaged.map(({ file }) => file));
  return `${number(files.length - damaged.length)} of ${counted(files.length, 'file')} are whole; ${number(readable)} of ${counted(records, 'record')} stand in them.`;
}

function recordsIn(files: readonly SegmentFile[]): number {
  return files.reduce((sum, { records }) => sum + records, 0);
}

export const backup = commandOf('read', {
  takes: { dir: argument('<dir>', 'a new folder') },
  run: async ({ parts: { config, clock }, signal }, { dir, json }) => {
    const started = clock.monotonic();
    using progress = showProgress();
    const { files: kept } = await backUp(config, dir, {
      now: () => clock.now(),
      signal,
      onProgress: (pages, total) => progress.update('pages copied', pages, total),
    });
    const took_ms = Math.round(clock.monotonic() - started);
    const files = kept.map(({ path: name, bytes, sha256 }) => ({ name, bytes, sha256 }));
    const has_pepper = files.some(({ name }) => name === 'pepper');
    if (json) return printJson({ files, has_pepper, took_ms });
    print(table({ file: 'name', bytes: 'bytes', sha256: 'sha256' }, files));
    print(['', `Backed up in ${duration(took_ms)}.`]);
    if (!has_pepper)
      note('The pepper is not in it: keep CATALOG_KEY_PEPPER yourself. Without it no API key is recognised.');
  },
});
