import { publishFiles } from '../../operations/publish/publish.ts';
import { counted } from '../../texts/plain.ts';
import { commandOf, type Work } from '../command.ts';
import { argument, flag } from '../options.ts';
import { note } from '../output.ts';
import { showProgress } from '../progress.ts';
import { remarkStandstill, waitUntilServed } from '../wait-until-served.ts';
import { report, succeeded, type PublishOptions } from './publish/report.ts';

export const publish = commandOf('create', {
  takes: {
    files: argument('<files...>', 'NDJSON files; "-" is standard input'),
    dryRun: flag('validate only'),
    skipInvalid: flag('append the valid lines and report the others'),
    wait: flag('return when the events have reached the documents and the search index'),
  },
  help: `
Files are validated whole first: one bad line and nothing is appended. Standard input stops at its first bad line.
With --wait, an event that could not be used after all is named with the reason, and so is one that changed nothing: what
stands in its place has a higher revision, or the same one. "trace" answers the same question later.

Examples:
  npm run -s catalog -- publish events.ndjson --dry-run
  npm run -s catalog -- publish events.ndjson --wait
  upstream-export | npm run -s catalog -- publish - --skip-invalid

Exit code 1 where a line is bad (with --skip-invalid, that alone is none), or where one of the events was parked.`,
  run: async (work, { files, ...options }) => {
    const published = await showPublishing(files, options, work);
    report(published, options);
    return succeeded(published, options) ? 0 : 1;
  },
});

async function showPublishing(
  files: readonly string[],
  { dryRun = false, skipInvalid = false, wait }: PublishOptions,
  { parts, signal }: Work,
) {
  if (files.includes('-') && process.stdin.isTTY)
    note('Reading events from the terminal, one JSON object a line. Ctrl-D ends them.');
  let appended = 0;
  using progress = showProgress();
  try {
    return await publishFiles(files, parts, {
      dryRun,
      skipInvalid,
      signal,
      onExamined: (lines) => progress.update('lines validated', lines, null),
      onAppended: (events) => progress.update('events appended', (appended = events), null),
      wait: wait
        ? (places) => {
            const onProgress = remarkStandstill(parts, progress.update);
            return waitUntilServed(parts, places, signal, { onProgress });
          }
        : null,
    });
  } catch (thrown) {
    if (appended > 0) note(`${counted(appended, 'event')} had been appended when this happened:`);
    throw thrown;
  }
}
