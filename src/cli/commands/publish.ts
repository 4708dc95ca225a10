import type { Place } from '../../events/log/port.ts';
import { publishFiles } from '../../operations/publish/publish.ts';
import { counted } from '../../texts/english-amounts.ts';
import { commandOf, type Work } from '../command.ts';
import { argument, flag } from '../option-builders.ts';
import { note, printJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { remarkStandstill, waitUntilServed } from '../wait-until-served.ts';
import { document, type PublishOptions, tell } from './publish/report.ts';

export const publish = commandOf('create', {
  takes: {
    files: argument('<files...>', 'NDJSON files; "-" is standard input'),
    dryRun: flag('validate only'),
    skipInvalid: flag('append the valid lines and report the others'),
    wait: flag('return when the events have reached the documents and the search index'),
  },
  run: async (work, { files, json, ...options }) => {
    const published = await showPublishing(files, options, work);
    if (json) printJson(document(published));
    else tell(published, options);
    const { invalid, waited, parked, interrupted } = published;
    const isValid = invalid === 0 || options.skipInvalid === true;
    const hasArrived = (waited ?? 'reached') === 'reached' && parked.length === 0;
    return isValid && hasArrived && !interrupted ? 0 : 1;
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
  const untilServed = (places: readonly Place[]) =>
    waitUntilServed(parts, places, signal, { onProgress: remarkStandstill(parts, progress.update) });
  try {
    return await publishFiles(files, parts, {
      dryRun,
      skipInvalid,
      signal,
      onExamined: (lines) => progress.update('lines validated', lines, null),
      onAppended: (events) => progress.update('events appended', (appended = events), null),
      wait: wait ? untilServed : null,
    });
  } catch (thrown) {
    if (appended > 0) note(`${counted(appended, 'event')} had been appended when this happened:`);
    throw thrown;
  }
}
