import { Command } from 'commander';

import { restoreBackup } from '../../compose/backup/restore.ts';
import { checkArchive } from '../../events/archive/check.ts';
import { archiveManifest, readKind } from '../../events/archive/manifest.ts';
import type { Archive } from '../../events/archive/reading.ts';
import { restoreArchive, type Restored } from '../../events/archive/restoring.ts';
import { REJECTED, TOPICS } from '../../events/types.ts';
import { commandLine } from '../../platform/command-line.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import type { JsonObject } from '../../platform/json.ts';
import { withParts, type Finish, type Work } from '../command.ts';
import { note, print, printJson } from '../output.ts';
import { damageLine, damageSummary, isWhole } from './archive/report.ts';
import { counted, duration, number } from '../../platform/amounts.ts';
import { showProgress } from '../progress.ts';

export function restore(finish: Finish): Command {
  return new Command('restore')
    .argument('<dir>', 'what "archive" or "backup" made')
    .option('--skip-damaged', 'of a damaged archive: restore what can be read of it')
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action((dir: string, options: Options) =>
      withParts('restore', 'create', async (work) => {
        const { kind, body } = await readKind(dir);
        if (kind === 'archive')
          await fromArchive({ folder: dir, manifest: archiveManifest(dir, body) }, options, work, finish);
        else if (kind === 'backup') await fromBackup(dir, body, options, work);
        else throw new PermanentError(`${dir} is of the kind ${kind}, which this release does not know.`);
      }),
    );
}

interface Options {
  readonly skipDamaged?: boolean;
  readonly json?: boolean;
}

const HELP = `
Nothing else may run on the log or the data folder meanwhile. One that was killed goes on with the next call. Everything is
compared with its digests first: of a damaged archive or backup nothing is restored.

Examples:
  CATALOG_DATA=restored npm run -s catalog -- restore /backup/log
  CATALOG_DATA=restored npm run -s catalog -- restore /backup/2026-11-20

Exit code 1 where it is damaged, or where the log is not empty.`;

async function fromArchive(
  archive: Archive,
  { skipDamaged = false, json }: Options,
  { config, parts, signal }: Work,
  finish: Finish,
): Promise<void> {
  const { clock } = parts;
  const started = clock.monotonic();
  // Before the log is opened, which makes it.
  const damaged = await requireWhole(archive, skipDamaged, signal);
  const topics = TOPICS.map(({ name }) => name).filter((name) => name !== REJECTED);
  const kept = archive.manifest.topics.filter(({ name }) => topics.includes(name));
  const total = kept.flatMap(({ partitions }) => partitions).reduce((sum, { records }) => sum + records, 0);
  using progress = showProgress('records restored');
  const restored = await restoreArchive(archive, parts.log, {
    topics: kept.map(({ name }) => name),
    empty: topics,
    topicPrefix: config.topicPrefix,
    signal,
    onProgress: (records) => progress.update(records, total),
    ...(skipDamaged ? { onDamage: () => undefined } : {}),
  });
  const unreadable = kept
    .flatMap(({ partitions }) => partitions.flatMap(({ files }) => files))
    .reduce((sum, file) => sum + file.unreadable, 0);
  tell({ ...restored, unreadable, damaged }, clock.monotonic() - started, json);
  if (restored.interrupted) finish(1);
}

/** How many files are damaged. @throws {PermanentError} where some are, and they are not to be left out. */
async function requireWhole(archive: Archive, skipDamaged: boolean, signal: AbortSignal): Promise<number> {
  using progress = showProgress('records checked');
  const checked = await checkArchive(archive, {
    signal,
    onProgress: (records) => progress.update(records, null),
  });
  if (isWhole(checked)) return 0;
  note(checked.damaged.map(damageLine));
  if (skipDamaged) return checked.damaged.length;
  throw new PermanentError(
    `The archive is damaged: ${damageSummary(checked)} Nothing was restored; --skip-damaged restores what can be read.`,
  );
}

interface Told extends Restored {
  readonly unreadable: number;
  readonly damaged: number;
}

function tell(told: Told, tookMs: number, json: boolean | undefined): void {
  const { appended, before, moved, unreadable, damaged, interrupted } = told;
  if (json) {
    printJson({
      kind: 'archive',
      appended,
      before,
      moved,
      unreadable,
      damaged_files: damaged,
      interrupted,
      took_ms: Math.round(tookMs),
    });
    return;
  }
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
  dir: string,
  body: JsonObject,
  { skipDamaged, json }: Options,
  { config, signal }: Work,
): Promise<void> {
  if (skipDamaged)
    throw new UsageError('--skip-damaged is for archives: of a damaged backup nothing is restored.');
  const { files, createdAt, hidesPepper } = await restoreBackup(config, dir, body, signal);
  if (json) return printJson({ kind: 'backup', created_at: createdAt, files });
  print(`Restored into ${config.dataFolder} what was backed up at ${createdAt}: ${files.join(', ')}.`);
  if (hidesPepper)
    note('Its pepper is not restored: CATALOG_KEY_PEPPER is set. Keys work only if it is the same.');
  note(
    `The search index is filled at the next start; after it, "${commandLine('verify')}". Where the original goes on running on the same log, give this copy an identity of its own first: "${commandLine('identity renew')}".`,
  );
}
