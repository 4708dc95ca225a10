import { Command } from 'commander';

import { publishFiles } from '../../operations/publish/publish.ts';
import { counted } from '../../platform/text/format.ts';
import { withParts, type Finish, type Work } from '../command.ts';
import { note } from '../output.ts';
import { showSteps } from '../progress.ts';
import { waitUntilServed } from '../waiting.ts';
import { report, succeeded, type PublishOptions } from './publish/report.ts';

export function publish(finish: Finish): Command {
  return new Command('publish')
    .argument('<files...>', 'NDJSON files; "-" is standard input')
    .option('--dry-run', 'validate only')
    .option('--skip-invalid', 'append the valid lines and report the others')
    .option('--wait', 'return when the events have reached the documents and the search index')
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: PublishOptions) =>
      withParts('publish', 'create', async (work) => {
        const published = await showPublishing(files, options, work);
        report(published, options);
        if (!succeeded(published, options)) finish(1);
      }),
    );
}

const HELP = `
Files are validated whole first: one bad line and nothing is appended. Standard input stops at its first bad line.
With --wait, an event that could not be used after all is named with the reason, and so is one that changed nothing: what
stands in its place has a higher revision, or the same one. "trace" answers the same question later.

Examples:
  npm run -s catalog -- publish events.ndjson --dry-run
  npm run -s catalog -- publish events.ndjson --wait
  upstream-export | npm run -s catalog -- publish - --skip-invalid

Exit code 1 where a line is bad (with --skip-invalid, that alone is none), or where one of the events was parked.`;

async function showPublishing(
  files: readonly string[],
  { dryRun = false, skipInvalid = false, wait }: PublishOptions,
  { parts, signal }: Work,
) {
  if (files.includes('-') && process.stdin.isTTY)
    note('Reading events from the terminal, one JSON object a line. Ctrl-D ends them.');
  let appended = 0;
  using steps = showSteps();
  try {
    return await publishFiles(files, parts, {
      dryRun,
      skipInvalid,
      signal,
      onExamined: (lines) => steps.update('lines validated', lines, null),
      onAppended: (events) => steps.update('events appended', (appended = events), null),
      wait: wait ? (places) => waitUntilServed(parts, places, signal) : null,
    });
  } catch (thrown) {
    if (appended > 0) note(`${counted(appended, 'event')} had been appended when this happened:`);
    throw thrown;
  }
}
