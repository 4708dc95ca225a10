import { commandLine } from '../platform/text/command-line.ts';
import { haltPlaces } from '../projecting/engine/lane.ts';
import { fill, pieces, type Values } from '../texts/fill.ts';
import { type Formats, formats } from '../texts/formats.ts';
import { PLAIN } from '../texts/plain.ts';
import { type Locale, type Texts, TEXTS } from '../texts/texts.ts';
import type { Finding } from './findings.ts';

/** The words of a program or of somebody else, as they are. */
export interface Quotation {
  readonly quoted: string;
}

/** A sentence in pieces, so that a page can tell its own words from those that a program has said in English. */
export type Phrase = readonly (string | Quotation)[];

/** Facts that are the words of a program, in English. */
const QUOTED: ReadonlySet<string> = new Set(['reason', 'detail', 'trouble']);

/** A text with its `{places}` filled, and what is quoted apart. */
export function phrase(text: string, values: Values<Quotation>, locale: Locale): Phrase {
  const all = pieces(text, values, locale);
  return all.map((piece, at) => {
    const next = all[at + 1];
    // A sentence that is quoted in another one ends with that.
    const goesOn = typeof next === 'string' && next.startsWith('.');
    return typeof piece === 'object' && goesOn ? { quoted: piece.quoted.replace(/\.$/, '') } : piece;
  });
}

/** What a finding says in a language: why, and what to do. The places of its text are named for its facts. */
export function findingPhrase(
  finding: Finding,
  locale: Locale,
  format: Pick<Formats, 'duration'> = formats(locale),
): Phrase {
  const texts = TEXTS[locale].findings;
  const catalog = commandLine('').trimEnd();
  const start = fill(texts.start, { catalog }, locale);
  const values: Record<string, string | number | Quotation> = { catalog, start };
  for (const [name, value] of Object.entries(finding)) {
    if (QUOTED.has(name)) values[name] = value === null ? texts.unknown : { quoted: String(value) };
    else if (typeof value === 'number') values[name] = amountOf(name, value);
    else if (typeof value !== 'object') values[name] = String(value);
    else if (value === null) values[name] = texts.never;
  }
  if ('halt' in finding && finding.halt) Object.assign(values, haltPlaces(finding.halt));
  if (finding.code === 'never_complete')
    values['how'] = finding.has_projector
      ? fill(texts.never_complete.under_way, { waiting: amountOf('waiting', finding.waiting) }, locale)
      : start;
  return phrase(textOf(finding, texts), values, locale);

  /** Its name says what it counts. */
  function amountOf(name: string, value: number): string | number {
    if (name.endsWith('_ms')) return format.duration(value);
    const { counts } = texts;
    return Object.hasOwn(counts, name)
      ? fill(counts[name as keyof typeof counts], { [name]: value }, locale)
      : value;
  }
}

function textOf(finding: Finding, texts: Texts['findings']): string {
  switch (finding.code) {
    case 'halted':
      return texts.halted[finding.halt?.reason ?? 'said'];
    case 'never_complete':
      return texts.never_complete[finding.is_beside ? 'beside' : 'live'];
    case 'not_fed':
      return texts.not_fed[finding.why];
    case 'not_searchable':
      return texts.not_searchable[finding.reason === null ? 'more' : 'one'];
    default:
      return texts[finding.code];
  }
}

/** What it is about, as people call it. */
export function subjectOf({ code, subject }: Finding, locale: Locale): string {
  const { subjects } = TEXTS[locale].findings;
  return Object.hasOwn(subjects, code) ? subjects[code as keyof typeof subjects] : subject;
}

/** One line in English, as the command line prints it. */
export function englishOf(finding: Finding): string {
  const said = findingPhrase(finding, 'en', PLAIN);
  return said.map((piece) => (typeof piece === 'string' ? piece : piece.quoted)).join('');
}
