import { duration, number } from '../../platform/text/format.ts';
import { commandLine } from '../../platform/text/command-line.ts';
import { HALT_TEXTS, haltPlaces } from '../../projecting/engine/lane.ts';
import type { Finding } from '../findings.ts';
import english from './findings/en.json' with { type: 'json' };
import ru from './findings/ru.json' with { type: 'json' };
import { fill, inOneLine, type Amounts, type Phrase, type Quotation } from './phrase.ts';

/** What findings say. A place is a fact of the finding; `{start}` is `start`, `{catalog}` the command line. */
const en = { ...english, halted: { ...HALT_TEXTS, ...english.halted } };

export type FindingTexts = typeof en;

export const FINDING_TEXTS: Readonly<Record<'ru' | 'en', FindingTexts>> = { ru, en };

/** Facts that are the words of a program, in English. */
const QUOTED: ReadonlySet<string> = new Set(['reason', 'detail', 'trouble']);

/** What a finding says in a language: why, and what to do. The places of its text are named for its facts. */
export function findingPhrase(finding: Finding, texts: FindingTexts, amounts: Amounts): Phrase {
  const places: Record<string, string | Quotation> = {
    start: texts.start.replace('{catalog}', commandLine('').trimEnd()),
    catalog: commandLine('').trimEnd(),
    ...('halt' in finding && finding.halt ? haltPlaces(finding.halt) : {}),
  };
  for (const [name, value] of Object.entries(finding)) {
    if (QUOTED.has(name)) places[name] = value === null ? texts.unknown : { quoted: String(value) };
    else if (typeof value === 'number') places[name] = amountOf(name, value, texts, amounts);
    else if (typeof value !== 'object') places[name] = String(value);
    else if (value === null) places[name] = texts.never;
  }
  return fill(textOf(finding, texts), places);
}

/** Its name says what it counts. */
function amountOf(name: string, value: number, { counts }: FindingTexts, amounts: Amounts): string {
  if (name.endsWith('_ms')) return amounts.duration(value / 1000);
  return Object.hasOwn(counts, name)
    ? amounts.plural(counts[name as keyof typeof counts], value)
    : amounts.number(value);
}

function textOf(finding: Finding, texts: FindingTexts): string {
  switch (finding.code) {
    case 'halted':
      return texts.halted[finding.halt?.reason ?? 'said'];
    case 'never_complete': {
      const how = finding.has_projector ? texts.never_complete.under_way : '{start}';
      return texts.never_complete[finding.is_beside ? 'beside' : 'live'].replace('{how}', how);
    }
    case 'not_fed':
      return texts.not_fed[finding.why];
    case 'not_searchable':
      return texts.not_searchable[finding.reason === null ? 'more' : 'one'];
    default:
      return texts[finding.code];
  }
}

/** What it is about, as people call it. */
export function subjectOf({ code, subject }: Finding, { subjects }: FindingTexts): string {
  return Object.hasOwn(subjects, code) ? subjects[code as keyof typeof subjects] : subject;
}

const ENGLISH: Amounts = {
  number,
  duration: (seconds) => duration(seconds * 1000),
  plural: ({ one, other }, count) => (count === 1 ? one : other).replace('{count}', number(count)),
};

/** One line in English, as the command line prints it. */
export function englishOf(finding: Finding): string {
  return inOneLine(findingPhrase(finding, en, ENGLISH));
}
