import { Command } from 'commander';

import { checkArchive } from '../../events/archive/check.ts';
import { openArchive } from '../../events/archive/reading.ts';
import { archiveLog } from '../../events/archive/writing.ts';
import { TOPICS } from '../../events/types.ts';
import { systemClock } from '../../platform/clock.ts';
import { UsageError } from '../../platform/errors.ts';
import { stopSignal } from '../../platform/lifecycle.ts';
import { withParts, type Finish } from '../command.ts';
import { momentBefore } from '../options.ts';
import { isWhole, reportArchived, reportChecked } from './archive/report.ts';
import { showProgress } from '../progress.ts';

export function archive(finish: Finish): Command {
  return new Command('archive')
    .argument('<dir>', 'the folder of the archive: a new one, or one to go on with')
    .option(
      '--since <when>',
      'a new archive alone: how long ago (30m, 12h, 7d), or an RFC 3339 date-time',
      momentBefore(systemClock),
    )
    .option('--check', 'write nothing: compare every file with its digest, and say what is damaged')
    .option('--json', 'for scripts')
    .addHelpText('after', HELP)
    .action((dir: string, options: Options) =>
      options.check ? check(dir, options, finish) : write(dir, options, finish),
    );
}

interface Options {
  /** Unix milliseconds. */
  readonly since?: number;
  readonly check?: boolean;
  readonly json?: boolean;
}

const HELP = `
It may run beside a working service, and be killed: the archive is valid at any moment. The next run goes on where it ends.
Any tool reads it: zcat DIR/catalog.entries/0/*.ndjson.gz | jq. "restore" puts it into an empty log.

Examples:
  npm run -s catalog -- archive /backup/log
  npm run -s catalog -- archive /backup/log --check

Exit code 1 where records had gone from the log before they were archived, and, with --check, where a file is damaged.`;

async function write(dir: string, { since, json }: Options, finish: Finish): Promise<void> {
  await withParts('archive', 'read', async ({ config, parts, signal }) => {
    const { log, clock } = parts;
    const started = clock.monotonic();
    using progress = showProgress('records archived');
    const archived = await archiveLog(log, dir, {
      topics: TOPICS.map(({ name }) => name),
      topicPrefix: config.topicPrefix,
      since: since ?? null,
      now: () => clock.now(),
      signal,
      onProgress: (done, total) => progress.update(done, total),
    });
    reportArchived(archived, clock.monotonic() - started, json);
    if (archived.gaps.length > 0 || archived.interrupted) finish(1);
  });
}

async function check(dir: string, { since, json }: Options, finish: Finish): Promise<void> {
  if (since !== undefined) throw new UsageError('--check writes nothing, and takes no --since.');
  using signal = stopSignal();
  using progress = showProgress('records checked');
  const opened = await openArchive(dir);
  const all = opened.manifest.topics.flatMap(({ partitions }) => partitions);
  const total = all.reduce((sum, { records }) => sum + records, 0);
  const checked = await checkArchive(opened, { signal, onProgress: (done) => progress.update(done, total) });
  reportChecked(checked, signal.aborted, json);
  if (!isWhole(checked) || signal.aborted) finish(1);
}
