import { Command, Option } from 'commander';

import { DEFAULT_LOCALE, LOCALES, type Locale } from '../../api/messages/texts.ts';
import { systemClock } from '../../platform/clock.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import { counted } from '../../platform/amounts.ts';
import { Stopped } from '../../projecting/engine/retry.ts';
import { withParts, type Finish, type Work } from '../command.ts';
import { momentBefore } from '../options.ts';
import { note, print, printJson, printStream } from '../output.ts';
import { table, type Columns } from '../table.ts';
import { asking, checkMoment, doubts, instant, openPast, readSlug, type Asking } from './history/asking.ts';
import { lifeOf } from './history/life.ts';
import type { Made } from './history/moment.ts';
import { seconds, showLife } from './history/show.ts';
import { unpublishedSince, type Unpublished } from './history/unpublished.ts';

export function history(_finish: Finish): Command {
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
    .option('--json', 'for scripts')
    .option('--ndjson', 'with --unpublished: an entry a line')
    .addHelpText('after', HELP)
    .action((slug: string | undefined, options: Options) => {
      const question = questionOf(slug, options);
      return withParts('history', 'read', (work) => question(work));
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
  readonly since?: number;
  readonly all?: true;
  readonly locale: Locale;
  readonly json?: true;
  readonly ndjson?: true;
}

/** @throws {UsageError} where the options do not make one question. */
function questionOf(slug: string | undefined, options: Options): (work: Work) => Promise<void> {
  const { at, top, unpublished, since, all, json, ndjson } = options;
  if (unpublished) {
    if (slug !== undefined || at !== undefined || top || all)
      throw new UsageError('--unpublished is about all entries: give it --since alone.');
    if (json && ndjson)
      throw new UsageError('--json is one document, --ndjson a line each: give one of them.');
    return (work) => tellUnpublished(work, options);
  }
  if (ndjson) throw new UsageError('--ndjson goes with --unpublished: use --json.');
  if (top) {
    if (slug !== undefined || at === undefined || since !== undefined || all)
      throw new UsageError('--top is about all entries at one moment: give it --at alone.');
    return (work) => tellTop(work, at, options);
  }
  if (slug === undefined)
    throw new UsageError('Give the slug of an entry, --top with --at, or --unpublished.');
  const read = readSlug(slug);
  if (at === undefined) return (work) => tellLife(work, read, options);
  if (since !== undefined || all)
    throw new UsageError('--at is about one moment: leave out --since and --all.');
  return (work) => tellMoment(work, read, at, options);
}

async function tellLife({ parts, signal }: Work, slug: string, { since = null, ...options }: LifeOptions) {
  await using asked = asking(parts, signal);
  const past = await openPast(asked, 'listings', { subject: slug });
  const now = parts.clock.now();
  if (since !== null && since > now) checkMoment('--since', since, [past], now);
  const records = await Array.fromAsync(past.records());
  if (records.length === 0) {
    note(doubts({ cut: past.cut, unreadable: asked.unreadable }));
    throw unknown(slug);
  }
  const life = lifeOf(past.projection, slug, records);
  const shown = { slug, life, since, all: options.all ?? false, cut: past.cut, unreadable: asked.unreadable };
  showLife(shown, options.json ?? false);
}

type LifeOptions = Pick<Options, 'all' | 'json'> & { readonly since?: number | null };

async function tellMoment({ parts, signal }: Work, slug: string, at: number, { locale, json }: Options) {
  await using asked = asking(parts, signal);
  // The presentation of the API takes longer to load than a short command runs.
  const { momentOf } = await import('./history/moment.ts');
  const moment = await momentOf(asked, { slug, at, locale });
  const { status, body } = moment;
  const { unreadable } = asked;
  if (!moment.isKnown) throw unknown(slug);
  if (json) return printJson({ slug, at: instant(at), status, body, ...restsOn(moment), unreadable });
  printJson(body);
  note(momentLines(`${slug} at ${instant(at)}: ${status}.`, moment, unreadable));
}

async function tellTop({ parts, signal }: Work, at: number, { locale, json }: Options) {
  await using asked = asking(parts, signal);
  const { topAt } = await import('./history/moment.ts');
  const moment = await topAt(asked, { at, locale });
  const { unreadable } = asked;
  if (json) return printJson({ at: instant(at), body: moment.body, ...restsOn(moment), unreadable });
  printJson(moment.body);
  note(momentLines(`The top at ${instant(at)}.`, moment, unreadable));
}

function restsOn({ live, folds, leftOut, cut }: Made) {
  const told = live.map(({ readModel, build, remark }) => ({ read_model: readModel, build, remark }));
  return { live: told, folds, left_out: leftOut, cut };
}

function momentLines(
  what: string,
  { folds, live, leftOut, cut }: Made,
  unreadable: Asking['unreadable'],
): readonly string[] {
  const lines = [`${what} Made by the folds ${folds.join(' and ')}.`];
  for (const { readModel, build, remark } of live) {
    const named = `Live then, of ${readModel}: ${build ?? 'not known'}`;
    lines.push(remark === null ? `${named}.` : `${named}; ${remark}.`);
  }
  if (leftOut > 0) lines.push(`${counted(leftOut, 'event')} left out: parked, discarded or refused.`);
  return [...lines, ...doubts({ cut, unreadable })];
}

async function tellUnpublished(
  { parts, signal }: Work,
  { since = null, locale, json, ndjson }: TableOptions,
) {
  await using asked = asking(parts, signal);
  const { unpublished, leftOut, cut } = await unpublishedSince(asked, since, locale);
  const { unreadable } = asked;
  if (ndjson) {
    const written = await printStream(unpublished, signal, () => undefined);
    if (written === 'stopped') throw new Stopped('history: stopped');
    return note(doubts({ cut, unreadable }));
  }
  const from = since === null ? null : instant(since);
  if (json) return printJson({ since: from, unpublished, left_out: leftOut, cut, unreadable });
  if (unpublished.length === 0) print(`No entry was unpublished${from === null ? '' : ` since ${from}`}.`);
  else print(table(COLUMNS, unpublished));
  if (leftOut > 0) note(`${counted(leftOut, 'event')} left out: parked, discarded or refused.`);
  note(doubts({ cut, unreadable }));
}

type TableOptions = Pick<Options, 'locale' | 'json' | 'ndjson'> & { readonly since?: number | null };

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
