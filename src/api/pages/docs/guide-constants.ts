import { KINDS } from '../../../../projections/listings/document.ts';
import { FORMULA } from '../../../../projections/listings/score.ts';
import { PLACES } from '../../../access/keys/account-document.ts';
import { MAX_LIMIT } from '../../../stores/search/port.ts';
import { errorBody } from '../../error-answer.ts';
import { commonHeaders, linesOf } from '../../http/response/headers.ts';
import { LIMITS, MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from '../../http/limits.ts';
import { SEARCH_TEXT_LENGTH, wholeNumber } from '../../http/parameters.ts';
import { COMPRESSED_ABOVE } from '../../http/response/representation.ts';
import { DEFAULT_LOCALE, LOCALES, TEXTS } from '../../../texts/texts.ts';
import { fill } from '../../../texts/fill.ts';
import { formats } from '../../../texts/formats.ts';
import { ERROR_CODES, problem } from '../../problems.ts';
import { exampleListing } from '../../routes/present-entry.ts';
import { MAX_PAGE } from '../../routes/search-schema.ts';
import { search } from '../../routes/search.ts';
import { CHANGELOG } from './changelog-feed.ts';
import { addresses, headers, messagesOf, rules } from './guide-tables.ts';
import type { Setting } from './docs-context.ts';

/** What each kind of response costs of a key's quota: the guide says it, and a test asks for each of them. */
export const COUNTING = {
  answered: 1,
  head: 1,
  refused: 1,
  missing: 1,
  anyTag: 1,
  unchanged: 0,
  usedUp: 0,
  unauthorized: 0,
  unreadable: 0,
  unknown: 0,
  method: 0,
  fault: 0,
  preflight: 0,
  open: 0,
} as const;

/** What stands in the places of the guide and of the texts around it: numbers that are in force, and examples. */
type Constants = Readonly<Record<string, string | number>>;

/** Between the announcement that something goes, and its end. */
const NOTICE_MONTHS = 6;

export function guideConstants(setting: Setting): Constants {
  const { locale, root, publicUrl, base, texts, dailyLimit, policy, hasAccounts } = setting;
  const format = formats(locale);
  const place = { locale, root, url: publicUrl, base };
  const way = hasAccounts ? texts.gettingFromAccount : texts.gettingFromOperator;
  const score = exampleListing(locale).score;
  const { accepts } = wholeNumber({ max: 100, otherwise: 20 });
  const wrong = problem('wrong_parameter', { name: 'limit', accepts });
  const numbers = {
    limit: dailyLimit,
    keys: PLACES,
    headerBytes: MAX_HEADER_BYTES,
    headerFields: MAX_HEADER_FIELDS,
    requestSeconds: LIMITS.requestTimeoutMs / 1000,
    compressedAbove: COMPRESSED_ABOVE,
    searchLength: SEARCH_TEXT_LENGTH,
    maxPage: MAX_PAGE,
    maxLimit: MAX_LIMIT,
    places: MAX_PAGE * MAX_LIMIT,
    months: NOTICE_MONTHS,
    interval: policy.interval_s,
  };
  const words = {
    ...place,
    kinds: KINDS.join(', '),
    locales: LOCALES.join(', '),
    defaultLocale: DEFAULT_LOCALE,
    formula: FORMULA,
    gettingKey: fill(way, place, locale),
    searchExample: JSON.stringify(search.example(locale), null, 2),
    errorExample: JSON.stringify(errorBody(wrong, locale, publicUrl), null, 2),
    exampleScore: format.number(score.value, 1),
    rateHeaders: rateHeaders(dailyLimit),
    addresses: addresses(setting),
    headers: headers(setting),
    rules: rules(setting),
  };
  const titles = TEXTS[locale].api.scoreParts;
  return {
    ...words,
    ...numbers,
    ...Object.fromEntries([
      ...Object.entries(COUNTING).map(([name, cost]) => [`cost.${name}`, cost]),
      ...CHANGELOG.map(({ name, date }) => [`day.${name}`, format.day(date)]),
      ...ERROR_CODES.map((code) => [`messages.${code}`, messagesOf(code, setting)]),
      ...score.breakdown.flatMap(({ key, value, weight, points }) => [
        [`part.${key}`, titles[key]],
        [`value.${key}`, format.number(value, 1)],
        [`weight.${key}`, format.number(weight, 2)],
        [`points.${key}`, format.number(points, 2)],
      ]),
    ]),
  };
}

/** The headers as they are sent, after three requests, an hour before the day ends. */
function rateHeaders(dailyLimit: number): string {
  const rate = { limit: dailyLimit, remaining: dailyLimit - 3, resetS: 3600, cost: 1 } as const;
  const lines = linesOf(commonHeaders('', rate));
  return lines.filter((line) => /^[\w-]*RateLimit/.test(line)).join('\n');
}
