import { InvalidArgumentError } from 'commander';

import { systemClock } from '../../platform/time/clock.ts';
import { UsageError } from '../../platform/errors.ts';
import { DAY_MS, parseInstant, unixMs } from '../../platform/time/instant.ts';
import { stopSignal } from '../../platform/stop-signal.ts';
import { leastEvents, simulatedHistory, type HistoryOptions } from '../../sample/simulated/history.ts';
import { command, type CommandInput } from '../command.ts';
import { integer, option } from '../option-builders.ts';
import { isOnTerminal, printLines } from '../output.ts';
import { number } from '../../texts/english-amounts.ts';
import { showProgress } from '../progress.ts';

/** Fixed, so that the same command prints the same history on any day. */
const END = '2026-01-01T00:00:00Z';

/** About entries, 150 for each. The probes are three times as many. */
const YEAR_EVENTS = 45_000;

const TAKES = {
  entries: integer('<n>', 'entries in the catalog', [1, 1_000_000], 1000),
  days: integer('<n>', 'how long the history is', [1, 3650], 30),
  events: integer('<n>', 'how many events', [1, 100_000_000], 100_000),
  seed: integer('<n>', 'another seed, another history', [0, Number.MAX_SAFE_INTEGER], 1),
  end: option<number>('<time>', 'the minute at which it ends: an RFC 3339 date-time, or "now"', (made) =>
    made.argParser(minuteOf).default(minuteOf(END), END),
  ),
  year: option<true | undefined>(
    '',
    'a year of 300 entries that ends at this minute, and 90 days of probes beside it',
    (made) => made.implies({ entries: 300, days: 365, events: YEAR_EVENTS, end: minuteOf('now') }),
  ),
};

export const simulate = command({
  takes: TAKES,
  run: (options) => printHistory(historyOptions(options)),
});

function historyOptions(given: CommandInput<typeof TAKES>): HistoryOptions {
  const { entries, days, events, seed, end: endMs, year: isYear = false } = given;
  if (endMs < days * DAY_MS)
    throw new UsageError('The history must not begin before 1970: raise --end, or lower --days.');
  const least = leastEvents(entries);
  if (events < least)
    throw new UsageError(
      `--events must be at least ${number(least)} with ${number(entries)} entries: the taxonomy, the targets of the monitor, and each entry once.`,
    );
  return { entries, days, events, seed, endMs, isYear };
}

async function printHistory(options: HistoryOptions): Promise<void> {
  using signal = stopSignal();
  // Where the events themselves are on the terminal, nothing is written between them.
  using progress = isOnTerminal() ? null : showProgress();
  const lines = simulatedHistory(options).map((event) => JSON.stringify(event));
  await printLines(lines, signal, (written) =>
    progress?.update('events written', written, options.isYear ? null : options.events),
  );
}

/** The minute that an instant is in, as Unix milliseconds. */
function minuteOf(text: string): number {
  const instant = parseInstant(text);
  if (instant === null && text !== 'now')
    throw new InvalidArgumentError(`Expected an RFC 3339 date-time, such as ${END}, or "now".`);
  const ms = instant === null ? systemClock.now() : unixMs(instant);
  return Math.floor(ms / 60_000) * 60_000;
}
