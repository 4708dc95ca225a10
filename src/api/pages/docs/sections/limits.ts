import { commonHeaders, linesOf } from '../../../http/response/headers.ts';
import { LIMITS, MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from '../../../http/limits.ts';
import { COMPRESSED_ABOVE } from '../../../http/response/representation.ts';
import { textsIn } from '../../../messages/texts.ts';
import { code, heading, paragraph, type Section, term, table, type Block } from '../blocks.ts';
import { conditionalRequest } from '../snippets.ts';
import type { Writing } from '../writing.ts';
import { counting } from './counting.ts';

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

function headers({ texts, locale }: Writing): Block {
  const described = textsIn(locale).openApi.headers;
  return table({
    label: texts.limits.headers,
    head: [texts.table.name, texts.monitor.meaning],
    rows: EXPLAINED.map((name) => [[term(name)], [described[name]]]),
  });
}
