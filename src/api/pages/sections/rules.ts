import { commonHeaders, linesOf } from '../../http/headers.ts';
import { MAX_HEADER_BYTES, MAX_HEADER_FIELDS, LIMITS } from '../../http/limits.ts';
import { wholeNumber } from '../../http/parameters.ts';
import { COMPRESSED_ABOVE } from '../../http/rendering.ts';
import { DEFAULT_LOCALE, LOCALES, textsIn } from '../../messages/texts.ts';
import {
  ERROR_CODES,
  errorBody,
  problem,
  PROBLEMS,
  type ErrorCode,
  type ProblemName,
} from '../../problems.ts';
import { code, heading, html, paragraph, table, term, type Html, type Section } from '../blocks.ts';
import { conditionalRequest } from '../snippets.ts';
import type { PageTexts, Writing } from '../writing.ts';

/** What a key may ask for, and what that costs. */
export function limits(writing: Writing): Section {
  const { texts, prose, number } = writing;
  const { limits: said } = texts;
  const sizes = {
    headerBytes: number(MAX_HEADER_BYTES),
    headerFields: number(MAX_HEADER_FIELDS),
    requestSeconds: number(LIMITS.requestTimeoutMs / 1000),
    compressedAbove: number(COMPRESSED_ABOVE),
  };
  return {
    id: 'limits',
    title: said.title,
    body: [
      paragraph(prose(said.quota)),
      code({ caption: said.headers, language: 'http', text: rateHeaders(writing) }),
      headers(writing),
      heading('counting', said.counting),
      paragraph(prose(said.countingIntro)),
      counting(writing),
      heading('used-up', said.usedUp),
      paragraph(prose(said.usedUpIs)),
      heading('conditional', said.conditional),
      paragraph(prose(said.conditionalIs)),
      code({ ...conditionalRequest(writing), caption: said.conditionalRun }),
      paragraph(prose(said.browsers)),
      heading('sizes', said.sizes),
      paragraph(prose(said.sizesAre, sizes)),
    ],
  };
}

/** The headers as they are sent, after three requests, an hour before the day ends. */
function rateHeaders({ dailyLimit }: Writing): string {
  const rate = { limit: dailyLimit, remaining: dailyLimit - 3, resetS: 3600, cost: 1 } as const;
  const lines = linesOf(commonHeaders('', rate));
  return lines.filter((line) => /^[\w-]*RateLimit/.test(line)).join('\n');
}

const EXPLAINED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Cost',
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
  'ETag',
  'X-Request-Id',
] as const;

function headers({ texts, locale }: Writing): Html {
  const described = textsIn(locale).openApi.headers;
  return table({
    label: texts.limits.headers,
    head: [texts.table.name, texts.monitor.meaning],
    rows: EXPLAINED.map((name) => [term(name), html`${described[name]}`]),
  });
}

function counting({ texts, prose }: Writing): Html {
  const { limits: said } = texts;
  return table({
    label: said.counting,
    head: [said.request, said.cost],
    rows: COUNTED.map((name) => [prose(texts.counting[name]), html`${COUNTING[name]}`]),
    numeric: [1],
  });
}

/** What each kind of response costs of a key's quota, in the order of the page; a test asks for each of them. */
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
} as const satisfies Record<keyof PageTexts['counting'], 0 | 1>;

export type Counted = keyof typeof COUNTING;
export const COUNTED = Object.keys(COUNTING) as Counted[];

/** Every code, under the anchor that `error.docs` leads to. */
export function errors(writing: Writing): Section {
  const { texts, prose, locale, publicUrl } = writing;
  const { errors: said } = texts;
  const { accepts } = wholeNumber({ max: 100, otherwise: 20 });
  const example = errorBody(problem('wrong_parameter', { name: 'limit', accepts }), locale, publicUrl);
  return {
    id: 'errors',
    title: said.title,
    body: [
      paragraph(prose(said.intro)),
      code({ caption: said.example, language: 'json', text: JSON.stringify(example, null, 2) }),
      paragraph(prose(said.id)),
      paragraph(prose(said.places)),
      ...ERROR_CODES.map((name) => errorCode(name, writing)),
    ],
  };
}

function errorCode(name: ErrorCode, { texts, prose, locale }: Writing): Html {
  const messages = textsIn(locale).problems;
  const rows = PROBLEM_NAMES.filter((one) => PROBLEMS[one].code === name).map((one) => [
    html`${PROBLEMS[one].status}`,
    message(messages[one]),
  ]);
  return html`<div class="error" id="${name}">
    <h3>
      <a href="#${name}"><code translate="no">${name}</code></a>
    </h3>
    ${paragraph(prose(texts.errors.codes[name]))}${table({
      label: name,
      head: [texts.table.status, texts.table.message],
      rows,
    })}
  </div> `;
}

const PROBLEM_NAMES = Object.keys(PROBLEMS) as ProblemName[];

/** A message with its `{places}` set apart. */
function message(text: string): Html {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<var translate="no">${part}</var>`))}`;
}

/** Which language a text is in. */
export function languages({ texts, prose }: Writing): Section {
  const { languageSection: said } = texts;
  const values = { locales: LOCALES.join(', '), defaultLocale: DEFAULT_LOCALE };
  return {
    id: 'languages',
    title: said.title,
    body: said.paragraphs.map((text) => paragraph(prose(text, values))),
  };
}
