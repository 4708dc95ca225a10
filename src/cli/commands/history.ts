import { DEFAULT_LOCALE, LOCALES } from '../../texts/texts.ts';
import { counted } from '../../texts/english-amounts.ts';
import { slug as slugRule } from '../../events/fields.ts';
import { doubtsOf, lifeOf } from '../../operations/history/life.ts';
import { readModelOf } from '../../operations/named-builds.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import { instantOrMs } from '../../platform/time/instant.ts';
import { openPast } from '../../projecting/inspect/read-model-events.ts';
import { commandOf, type CommandInput, type Work } from '../command.ts';
import { argument, choice, flag, moment } from '../option-builders.ts';
import { note, printJson } from '../output.ts';
import { type Progress, showProgress } from '../progress.ts';
import { doubtLines, showLife } from './history/show-life.ts';

const TAKES = {
  slug: argument('[slug]', 'of the entry'),
  at: moment('<time>', 'what readers saw then: how long ago (30m, 12h, 7d), or an RFC 3339 date-time'),
  top: flag('with --at: which entries led then'),
  since: moment(
    '<when>',
    'what came into the log since: how long ago (30m, 12h, 7d), or an RFC 3339 date-time',
  ),
  locale: choice('<locale>', 'language of the answer with --at', LOCALES, DEFAULT_LOCALE),
};
type Options = CommandInput<typeof TAKES>;

export const history = commandOf('read', {
  takes: TAKES,
  run: async (work, { slug, ...options }) => {
    check(slug, options, work.parts.clock.now());
    const { at } = options;
    const read = slug === undefined ? null : readSlug(slug);
    if (at !== undefined) await showMoment(work, read, at, options);
    else if (read !== null) await showLifeOf(work, read, options);
  },
});

/** @throws {UsageError} where the options do not make one question. */
function check(slug: string | undefined, { at, top, since }: Options, now: number): void {
  if (top && (slug !== undefined || at === undefined))
    throw new UsageError('--top is about all entries at one moment: give it --at alone.');
  if (slug === undefined && !top) throw new UsageError('Give the slug of an entry, or --top with --at.');
  if (at !== undefined && since !== undefined)
    throw new UsageError('--at is about one moment: leave out --since.');
  if (since !== undefined && since > now)
    throw new UsageError(`--since must not lie after now, ${instantOrMs(now)}; got ${instantOrMs(since)}.`);
}

/**
 * The slug as readers may write it, in any case.
 * @throws {UsageError} where it is none.
 */
function readSlug(text: string): string {
  const read = slugRule.safeParse(text.toLowerCase());
  if (read.success) return read.data;
  throw new UsageError(
    `"${text}" is no slug: expected 1 to 128 of a-z, 0-9 and "-", with no "-" at either end.`,
  );
}

function openPastOf({ parts, signal }: Work, readModel: string, { update }: Progress) {
  const onProgress = (read: number): void => update('records read', read, null);
  return openPast(readModelOf(parts, readModel), { ...parts, signal, onProgress });
}

async function showLifeOf(work: Work, slug: string, { since, json = false }: Options): Promise<void> {
  using progress = showProgress();
  const past = await openPastOf(work, 'listings', progress);
  const records = await Array.fromAsync(past.records(new Set([slug])));
  const doubts = doubtsOf([past]);
  if (records.length === 0) {
    note(doubtLines(doubts));
    throw unknown(slug);
  }
  showLife(slug, lifeOf(past.projection, slug, records, since), doubts, json);
}

/** What readers saw of an entry; of the top where there is no slug. */
async function showMoment(work: Work, slug: string | null, at: number, { locale, json }: Options) {
  // The presentation of the API takes longer to load than a short command runs.
  const { momentOf } = await import('../../operations/history/state-at-moment.ts');
  using progress = showProgress();
  const pasts = {
    listings: await openPastOf(work, 'listings', progress),
    categories: await openPastOf(work, 'categories', progress),
  };
  const told = await momentOf(work.parts, pasts, { slug, at, locale });
  const { status, body, isKnown, live, folds, leftOut } = told;
  if (slug !== null && !isKnown) throw unknown(slug);
  const doubts = doubtsOf(Object.values(pasts));
  const when = instantOrMs(at);
  if (json) {
    const named = slug === null ? {} : { slug };
    return printJson({ ...named, at: when, status, body, live, folds, left_out: leftOut, ...doubts });
  }
  printJson(body);
  const what = slug === null ? `The top at ${when}.` : `${slug} at ${when}: ${status}.`;
  note([
    `${what} Made by the folds ${folds.join(' and ')}.`,
    ...live.map(({ read_model: name, build }) => `Live then, of ${name}: ${build ?? 'not known'}.`),
    ...(leftOut === 0 ? [] : [`${counted(leftOut, 'event')} left out: parked, discarded or refused.`]),
    ...doubtLines(doubts),
  ]);
}

function unknown(slug: string): PermanentError {
  return new PermanentError(`The log holds no event about ${slug}.`);
}
