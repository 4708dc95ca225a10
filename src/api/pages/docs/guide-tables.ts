import type { Policy } from '../../../monitor/policy.ts';
import { visibleLines } from '../../../platform/text/sanitize.ts';
import { TEXTS } from '../../../texts/texts.ts';
import { formats } from '../../../texts/formats.ts';
import { pathBelowBase } from '../../openapi/document.ts';
import { type ErrorCode, type ProblemName, PROBLEMS } from '../../problems.ts';
import { ROUTES } from '../../routes.ts';
import type { Setting } from './docs-context.ts';

/** Tables of the guide that are made of what the API says of itself, as Markdown. */

export function addresses({ texts, locale, root }: Setting): string {
  const { address, gives, open, parameters } = texts.table;
  const rows = ROUTES.map((route) => [
    `[${term(pathBelowBase(route))}](${root}docs/${locale}/reference#${route.operation})`,
    escaped(route.texts[locale].summary),
    Object.keys(route.parameters).map(term).join(' '),
  ]);
  return table(
    [address, gives, parameters],
    [...rows, [`[${term('/api/status')}](${root}api/status)`, open, '']],
  );
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

export function headers({ texts, locale }: Setting): string {
  const meanings = TEXTS[locale].api.openApi.headers;
  const rows = EXPLAINED.map((name) => [term(name), escaped(meanings[name])]);
  return table([texts.table.name, texts.table.meaning], rows);
}

const PROBLEM_NAMES = Object.keys(PROBLEMS) as readonly ProblemName[];

/** What is said under a code, with the places of each message in italics. */
export function messagesOf(code: ErrorCode, { texts, locale }: Setting): string {
  const messages = TEXTS[locale].api.problems;
  const rows = PROBLEM_NAMES.filter((name) => PROBLEMS[name].code === code).map((name) => [
    String(PROBLEMS[name].status),
    escaped(messages[name]).replaceAll(/\{(\w+)\}/g, '*$1*'),
  ]);
  return table([texts.table.status, texts.table.message], rows);
}

/** The numbers by which the state of the platform is decided here. */
export function rules({ texts, locale, policy }: Setting): string {
  const { name: title, number, meaning } = texts.table;
  const rows = Object.entries(policy).map(([name, value]) => [
    term(name),
    formats(locale).number(value),
    escaped(texts.policy[name as keyof Policy]),
  ]);
  return table([title, number, meaning], rows, ['---', '--:', '---']);
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  sides: readonly string[] = head.map(() => '---'),
): string {
  return [head, sides, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function term(text: string): string {
  return `\`${text}\``;
}

/** Text in which nothing is a mark. */
export function escaped(text: string): string {
  return visibleLines(text).replaceAll(/[\\`*_[\]<>|~]/g, String.raw`\$&`);
}
