import { TOPICS } from '../../../events/types.ts';
import { archiveLog } from '../../../keep/archive.ts';
import { openArchive, segmentsOf } from '../../../keep/manifest.ts';
import { stopSignal } from '../../../platform/lifecycle.ts';
import { command, withParts, type ExitCode } from '../../command.ts';
import { argument, flag } from '../../options.ts';
import { showProgress } from '../../progress.ts';
import { findDamaged, reportArchived, reportChecked } from './report.ts';

export const archive = command({
  takes: {
    dir: argument('<dir>', 'the folder of the archive: a new one, or one to go on with'),
    check: flag('write nothing: compare every file with its digest, and say what is damaged'),
  },
  help: `
It may run beside a working service, and be killed: the archive is valid at any moment. The next run goes on where it ends.
Any tool reads it: zcat DIR/catalog.entries/0/*.ndjson.gz | jq. "keep restore" puts it into an empty log.

Examples:
  npm run -s catalog -- keep archive /backup/log
  npm run -s catalog -- keep archive /backup/log --check

Exit code 1 where records had gone from the log before they were archived, and, with --check, where a file is damaged.`,
  run: ({ dir, check: isCheck, json }) => (isCheck ? check(dir, json) : write(dir, json)),
});

function write(dir: string, json: boolean | undefined): Promise<ExitCode> {
  return withParts('keep archive', 'read', async ({ config, parts, signal }) => {
    const { log, clock } = parts;
    const started = clock.monotonic();
    using progress = showProgress();
    const archived = await archiveLog(log, dir, {
      topics: TOPICS.map(({ name }) => name),
      topicPrefix: config.topicPrefix,
      now: () => clock.now(),
      signal,
      onProgress: (done, total) => progress.update('records archived', done, total),
    });
    reportArchived(archived, clock.monotonic() - started, json);
    return archived.gaps.length > 0 || archived.interrupted ? 1 : 0;
  });
}

async function check(dir: string, json: boolean | undefined): Promise<ExitCode> {
  using signal = stopSignal();
  const { folder, manifest } = await openArchive(dir);
  const files = segmentsOf(manifest);
  const damaged = await findDamaged(folder, files, signal);
  reportChecked(files, damaged, signal.aborted, json);
  return damaged.length > 0 || signal.aborted ? 1 : 0;
}
