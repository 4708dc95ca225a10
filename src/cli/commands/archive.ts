import { Command } from 'commander';

import { TOPICS } from '../../events/types.ts';
import { archiveLog } from '../../keep/archive.ts';
import { openArchive, segmentsOf } from '../../keep/manifest.ts';
import { stopSignal } from '../../platform/lifecycle.ts';
import { withParts, type Finish } from '../command.ts';
import { findDamaged, reportArchived, reportChecked } from './archive/report.ts';
import { showProgress } from '../progress.ts';

export function archive(finish: Finish): Command {
  return new Command('archive')
    .argument('<dir>', 'the folder of the archive: a new one, or one to go on with')
    .option('--check', 'write nothing: compare every file with its digest, and say what is damaged')
    .addHelpText('after', HELP)
    .action((dir: string, options: Options) =>
      options.check ? check(dir, options, finish) : write(dir, options, finish),
    );
}

interface Options {
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

async function write(dir: string, { json }: Options, finish: Finish): Promise<void> {
  await withParts('archive', 'read', async ({ config, parts, signal }) => {
    const { log, clock } = parts;
    const started = clock.monotonic();
    using progress = showProgress('records archived');
    const archived = await archiveLog(log, dir, {
      topics: TOPICS.map(({ name }) => name),
      topicPrefix: config.topicPrefix,
      now: () => clock.now(),
      signal,
      onProgress: (done, total) => progress.update(done, total),
    });
    reportArchived(archived, clock.monotonic() - started, json);
    if (archived.gaps.length > 0 || archived.interrupted) finish(1);
  });
}

async function check(dir: string, { json }: Options, finish: Finish): Promise<void> {
  using signal = stopSignal();
  const { folder, manifest } = await openArchive(dir);
  const files = segmentsOf(manifest);
  const damaged = await findDamaged(folder, files, signal);
  reportChecked(files, damaged, signal.aborted, json);
  if (damaged.length > 0 || signal.aborted) finish(1);
}
