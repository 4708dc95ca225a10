import { KINDS } from '../../../../projections/listings/document.ts';
import { FORMULA } from '../../../../projections/listings/score.ts';
import { PLACES } from '../../../access/keys/accounts.ts';
import { MAX_LIMIT } from '../../../stores/search/port.ts';
import { errorBody } from '../../error-answer.ts';
import { commonHeaders, linesOf } from '../../http/response/headers.ts';
import { LIMITS, MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from '../../http/limits.ts';
import { SEARCH_TEXT_LENGTH, wholeNumber } from '../../http/parameters.ts';
import { COMPRESSED_ABOVE } from '../../http/response/representation.ts';
import { DEFAULT_LOCALE, LOCALES, textsIn } from '../../messages/texts.ts';
import { ERROR_CODES, problem } from '../../problems.ts';
import { exampleListing } from '../../routes/present-listing.ts';
import { MAX_PAGE } from '../../routes/search-body.ts';
import { search } from '../../routes/search.ts';
import { formats } from '../shell/formats.ts';
import { CHANGELOG } from './changelog.ts';
import { COUNTING } from './counting.ts';
import { addresses, headers, messagesOf, rules } from './tables.ts';
import type { Setting } from './writing.ts';

/** What stands in the place of `{{name}}` in the guide and in the texts around it: numbers that are in force, and examples. */
export type Constants = ReadonlyMap<string, string>;

/** A text with its constants filled in. */
export function fillConstants(text: string, constants: Constants): string {
  return text.replace(/\{\{([\w.]+)\}\}/g, (place, name: string) => {
    const value = constants.get(name);
    if (value === undefined) throw new Error(`a text of the guide names ${place}, and nothing gives it`);
    return value;
  });
}

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
    gettingKey: fillConstants(way, new Map(Object.entries(place))),
    searchExample: JSON.stringify(search.example(locale), null, 2),
    errorExample: JSON.stringify(errorBody(wrong, locale, publicUrl), null, 2),
    exampleScore: format.number(score.value, 1),
    rateHeaders: rateHeaders(dailyLimit),
    addresses: addresses(setting),
    headers: headers(setting),
    rules: rules(setting),
  };
  const titles = textsIn(locale).scoreParts;
  return new Map([
    ...Object.entries(words),
    ...Object.entries(numbers).map(([name, value]) => [name, format.number(value)] as const),
    ...Object.entries(COUNTING).map(([name, cost]) => [`cost.${name}`, format.number(cost)] as const),
    ...CHANGELOG.map(({ name, date }) => [`day.${name}`, format.day(date)] as const),
    ...ERROR_CODES.map((code) => [`messages.${code}`, messagesOf(code, setting)] as const),
    ...score.breakdown.flatMap(({ key, value, weight, points }) => [
      [`part.${key}`, titles[key]] as const,
      [`value.${key}`, format.number(value, 1)] as const,
      [`weight.${key}`, format.number(weight, 2)] as const,
      [`points.${key}`, format.number(points, 2)] as const,
    ]),
  ]);
}

/** The headers as they are sent, after three requests, an hour before the day ends. */
function rateHeaders(dailyLimit: number): string {
  const rate = { limit: dailyLimit, remaining: dailyLimit - 3, resetS: 3600, cost: 1 } as const;
  const lines = linesOf(commonHeaders('', rate));
  return lines.filter((line) => /^[\w-]*RateLimit/.test(line)).join('\n');
}
