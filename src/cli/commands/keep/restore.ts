import { join } from 'node:path';

import { REJECTED, TOPICS } from '../../../events/event-types.ts';
import type { Archive } from '../../../keep/archive-reader.ts';
import {
  openKeptFolder,
  segmentsOf,
  type BackupManifest,
  type KeptFolder,
  type KeptFile,
} from '../../../keep/manifest.ts';
import { restoreArchive, type RestoreResult } from '../../../keep/restore-archive.ts';
import { restoreBackup } from '../../../keep/backup-and-restore.ts';
import { markFinished, markUnfinished, requireRestored } from '../../../keep/unfinished-restore.ts';
import { PermanentError, UsageError } from '../../../platform/errors.ts';
import { lockFolder } from '../../../platform/files/folder-lock.ts';
import { makeFolder } from '../../../platform/files/private-files.ts';
import { commandLine } from '../../../platform/text/command-hint.ts';
import { counted, duration, number } from '../../../texts/english-amounts.ts';
import { StoppedError } from '../../../projecting/engine/retry.ts';
import { commandOf, type CommandInput, type ExitCode, type Work } from '../../command.ts';
import { argument, flag } from '../../option-builders.ts';
import { note, print, printJson } from '../../output.ts';
import { showProgress } from '../../progress.ts';
import { damageLine, damageSummary, findDamaged } from '../keep.ts';

const TAKES = {
  dir: argument('<dir>', 'what "keep archive" or "keep backup" made'),
  skipDamaged: flag('of a damaged archive: restore the files that are whole'),
};
type Options = Omit<CommandInput<typeof TAKES>, 'dir'>;

export const restore = commandOf('create', {
  takes: TAKES,
  run: async (work, { dir, ...options }) => {
    const { folder, manifest } = await openKeptFolder(dir);
    if (manifest.kind === 'archive') return await fromArchive({ folder, manifest }, options, work);
    await fromBackup({ folder, manifest }, options, work);
    return 0;
  },
});

async function fromArchive(
  archive: Archive,
  { skipDamaged = false, json }: Options,
  { parts, signal }: Work,
): Promise<ExitCode> {
  const { config, clock } = parts;
  const started = clock.monotonic();
  // Before the log is opened, which makes it.
  const { whole, damaged } = await wholeOf(archive, skipDamaged, signal);
  const topics = TOPICS.map(({ name }) => name).filter((name) => name !== REJECTED);
  const kept = whole.manifest.topics.filter(({ name }) => topics.includes(name));
  const files = kept.flatMap(({ partitions }) => partitions.flatMap((one) => one.files));
  const total = files.reduce((sum, { records }) => sum + records, 0);
  using _alone = lockOf(config.dataFolder);
  using progress = showProgress();
  const restored = await restoreArchive(whole, parts.log, {
    topics: kept.map(({ name }) => name),
    empty: topics,
    topicPrefix: config.topicPrefix,
    signal,
    onBegin: () => markUnfinished(config),
    onProgress: (records) => progress.update('records restored', records, total),
  });
  if (!restored.interrupted) markFinished(config);
  const unreadable = files.reduce((sum, file) => sum + file.unreadable, 0);
  const told = { ...restored, unreadable };
  const took_ms = Math.round(clock.monotonic() - started);
  if (json) printJson({ kind: 'archive', ...told, damaged_files: damaged, took_ms });
  else tell(told, took_ms);
  return restored.interrupted ? 1 : 0;
}

/** Two at once would append each record twice. @throws {PermanentError} where another process of this folder restores. */
function lockOf(dataFolder: string): Disposable {
  makeFolder(dataFolder);
  const taken = lockFolder(dataFolder);
  if (taken) return taken;
  throw new PermanentError(`Another process restores into ${dataFolder}. Wait until it has ended.`);
}

/** The archive without its damaged files. @throws {PermanentError} where some are, and they are not to be left out. */
async function wholeOf(archive: Archive, skipDamaged: boolean, signal: AbortSignal) {
  const { folder, manifest } = archive;
  const files = segmentsOf(manifest);
  const damaged = await check(folder, files, signal);
  if (damaged.length === 0) return { whole: archive, damaged: 0 };
  note(damaged.map(damageLine));
  if (!skipDamaged)
    throw new PermanentError(
      `The archive is damaged: ${damageSummary(files, damaged)} Nothing was restored; --skip-damaged restores the files that are whole.`,
    );
  const lost = new Set(damaged.map(({ file }) => file));
  const topics = manifest.topics.map((topic) => ({
    ...topic,
    partitions: topic.partitions.map((one) => ({
      ...one,
      files: one.files.filter((file) => !lost.has(file)),
    })),
  }));
  return { whole: { folder, manifest: { ...manifest, topics } }, damaged: damaged.length };
}

async function check<File extends KeptFile>(folder: string, files: readonly File[], signal: AbortSignal) {
  const damaged = await findDamaged(folder, files, signal);
  if (signal.aborted) throw new StoppedError('the restore was told to stop');
  return damaged;
}

function tell(
  { appended, before, moved, unreadable, interrupted }: RestoreResult & { readonly unreadable: number },
  tookMs: number,
): void {
  const earlier = before === 0 ? '' : `, ${number(before)} were there from an earlier call`;
  print(`${counted(appended, 'record')} restored in ${duration(tookMs)}${earlier}.`);
  if (moved > 0)
    note(
      `${counted(moved, 'record')} stand in another partition than before: their topic has other partitions here, or another rule chose them. Read models are the same.`,
    );
  if (unreadable > 0)
    note(
      `${counted(unreadable, 'range')} of positions could not be read when they were archived, and are not restored.`,
    );
  if (interrupted) note('catalog: stopped before everything was restored. Run it again: it goes on.');
  else
    note(
      `${REJECTED} is not restored: what cannot be used is announced again when it is folded. Start the service ("npm start"), then "${commandLine('verify')}".`,
    );
}

async function fromBackup(
  backup: KeptFolder<BackupManifest>,
  { skipDamaged, json }: Options,
  { parts: { config }, signal }: Work,
): Promise<void> {
  if (skipDamaged)
    throw new UsageError('--skip-damaged is for archives: of a damaged backup nothing is restored.');
  requireRestored(config, 'archive');
  const { files: kept, created_at } = backup.manifest;
  const [damaged] = await check(backup.folder, kept, signal);
  if (damaged)
    throw new PermanentError(
      `The backup is damaged: ${join(backup.folder, damaged.file.path)}: ${damaged.problem}. Nothing was restored; take another backup.`,
    );
  const { files, hidesPepper } = await restoreBackup(config, backup, signal);
  if (json) return printJson({ kind: 'backup', created_at, files });
  print(`Restored into ${config.dataFolder} what was backed up at ${created_at}: ${files.join(', ')}.`);
  if (hidesPepper)
    note(
      'Its pepper is not restored: CATALOG_KEY_PEPPER is set. It has to be the same: with another one nothing starts.',
    );
  note(
    `The search index is filled at the next start; after it, "${commandLine('verify')}". Where the original goes on running on the same log, give this copy an identity of its own first: "${commandLine('doctor identity --renew')}".`,
  );
}
