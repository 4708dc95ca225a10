import { Command, Option } from 'commander';

import { DEFAULT_LOCALE, LOCALES, type Locale } from '../../api/messages/texts.ts';
import { slug as slugRule } from '../../events/fields.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import { counted } from '../../platform/text/format.ts';
import { withParts } from '../command.ts';
import { momentBefore } from '../options.ts';
import { note, print, printJson } from '../output.ts';
import { seconds, table, type Columns } from '../table.ts';
import { lifeOf } from './history/life.ts';
import { doubtLines, instant, openPastReader, type PastReader } from './history/reader.ts';
import { showLife } from './history/show.ts';
import { unpublishedSince, type Unpublished } from './history/unpublished.ts';

export function history(): Command {
  return new Command('history')
    .argument('[slug]', 'of the entry')
    .option(
      '--at <time>',
      'what readers saw then: how long ago (30m, 12h, 7d), or an RFC 3339 date-time',
      momentBefore(systemClock),
    )
    .option('--top', 'with --at: which entries led then')
    .option('--unpublished', 'which entries were unpublished, and why')
    .option(
      '--since <when>',
      'what came into the log since: how long ago (30m, 12h, 7d), or an RFC 3339 date-time',
      momentBefore(systemClock),
    )
    .option('--all', 'every event, also those that changed nothing readers see')
    .addOption(
      new Option('--locale <locale>', 'language of the answer with --at, and of titles')
        .choices([...LOCALES])
        .default(DEFAULT_LOCALE),
    )
    .addHelpText('after', HELP)
    .action((slug: string | undefined, options: Options) => {
      check(slug, options);
      const { at, unpublished } = options;
      const read = slug === undefined ? null : readSlug(slug);
      return withParts('history', 'read', async ({ parts, signal }) => {
        using reader = openPastReader(parts, signal);
        if (unpublished) await showUnpublished(reader, options);
        else if (at !== undefined) await showMoment(reader, read, at, options);
        else if (read !== null) await showLifeOf(reader, read, options);
      });
    });
}

const HELP = `
The answers are made from the log, by the fold of this release; parked events are left out, as they are in the documents.
--at prints the body of GET /api/v1/listings/SLUG as readers got it then, with --top that of GET /api/v1/top. With --json the body stands beside its status, and
beside the build that was live.

Examples:
  npm run -s catalog -- history ai-news
  npm run -s catalog -- history ai-news --since 30d --all
  npm run -s catalog -- history ai-news --at 2026-11-20T10:00:00Z --locale en
  npm run -s catalog -- history --top --at 30d
  npm run -s catalog -- history --unpublished --since 7d

Exit code 1 where the log holds no event about the entry.`;

interface Options {
  readonly at?: number;
  readonly top?: true;
  readonly unpublished?: true;
  readonly since?: number | null;
  readonly all?: true;
  readonly locale: Locale;
  readonly json?: true;
}

/** @throws {UsageError} where the options do not make one question. */
function check(slug: string | undefined, { at, top, unpublished, since, all }: Options): void {
  const isOfAll = slug === undefined && !all;
  if (unpublished && (!isOfAll || at !== undefined || top))
    throw new UsageError('--unpublished is about all entries: give it --since alone.');
  if (top && (!isOfAll || at === undefined || since !== undefined))
    throw new UsageError('--top is about all entries at one moment: give it --at alone.');
  if (slug === undefined && !top && !unpublished)
    throw new UsageError('Give the slug of an entry, --top with --at, or --unpublished.');
  if (at !== undefined && (since !== undefined || all))
    throw new UsageError('--at is about one moment: leave out --since and --all.');
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

async function showLifeOf(reader: PastReader, slug: string, { since = null, all, json }: Options) {
  const past = await reader.open('listings');
  if (since !== null && since > reader.parts.clock.now()) reader.checkMoment('--since', since);
  const records = await Array.fromAsync(past.records(new Set([slug])));
  const doubts = reader.doubts();
  if (records.length === 0) {
    note(doubtLines(doubts));
    throw unknown(slug);
  }
  const life = lifeOf(past.projection, slug, records);
  showLife({ slug, life, since, all: all ?? false, doubts }, json ?? false);
}

/** What readers saw of an entry; of the top where there is no slug. */
async function showMoment(reader: PastReader, slug: string | null, at: number, { locale, json }: Options) {
  // The presentation of the API takes longer to load than a short command runs.
  const { momentOf } = await import('./history/moment.ts');
  const { status, body, isKnown, live, folds, leftOut } = await momentOf(reader, { slug, at, locale });
  if (slug !== null && !isKnown) throw unknown(slug);
  const doubts = reader.doubts();
  if (json) {
    const told = live.map(({ readModel, build, remark }) => ({ read_model: readModel, build, remark }));
    const named = slug === null ? {} : { slug };
    const made = { status, body, live: told, folds, left_out: leftOut };
    return printJson({ ...named, at: instant(at), ...made, ...doubts });
  }
  printJson(body);
  const what = slug === null ? `The top at ${instant(at)}.` : `${slug} at ${instant(at)}: ${status}.`;
  note([
    `${what} Made by the folds ${folds.join(' and ')}.`,
    ...live.map(({ readModel, build, remark }) => {
      const named = `Live then, of ${readModel}: ${build ?? 'not known'}`;
      return remark === null ? `${named}.` : `${named}; ${remark}.`;
    }),
    ...leftOutLines(leftOut),
    ...doubtLines(doubts),
  ]);
}

async function showUnpublished(reader: PastReader, { since = null, locale, json }: Options) {
  const { unpublished, leftOut } = await unpublishedSince(reader, since, locale);
  const doubts = reader.doubts();
  const from = since === null ? null : instant(since);
  if (json) return printJson({ since: from, unpublished, left_out: leftOut, ...doubts });
  if (unpublished.length > 0) print(table(COLUMNS, unpublished));
  else print(`No entry was unpublished${from === null ? '' : ` since ${from}`}.`);
  note([...leftOutLines(leftOut), ...doubtLines(doubts)]);
}

function leftOutLines(leftOut: number): readonly string[] {
  return leftOut === 0 ? [] : [`${counted(leftOut, 'event')} left out: parked, discarded or refused.`];
}

const COLUMNS: Columns<Unpublished> = {
  slug: 'slug',
  title: 'title',
  'in the log': ({ recorded_at: at }) => seconds(at),
  reason: 'reason',
  'published again': ({ published_again_at: at }) => at && seconds(at),
};

function unknown(slug: string): PermanentError {
  return new PermanentError(`The log holds no event about ${slug}.`);
}
