import { commandLine } from '../platform/text/command-hint.ts';
import { instantOrMs } from '../platform/time/instant.ts';
import { fill, pieces, type Values } from '../texts/fill.ts';
import { type Locale, type Texts, TEXTS } from '../texts/texts.ts';
import type { Finding, Halt } from './finding.ts';

/** The words of a program or of somebody else, as they are. */
export interface Quotation {
  readonly quoted: string;
}

/** A sentence in pieces, so that a page can tell its own words from those that a program has said in English. */
export type Phrase = readonly (string | Quotation)[];

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

/** Facts that are the words of a program, in English. */
const QUOTED: ReadonlySet<string> = new Set(['reason', 'detail', 'trouble']);

/** What a finding says in a language, and what it advises. The places of its texts are named for its facts. */
export function findingPhrases(finding: Finding, locale: Locale) {
  const texts = TEXTS[locale].findings;
  const values: Record<string, string | number | Quotation> = {
    catalog: commandLine('').trimEnd(),
    ...('halt' in finding && finding.halt ? haltPlaces(finding.halt) : {}),
  };
  for (const [name, value] of Object.entries(finding))
    if (QUOTED.has(name)) values[name] = value === null ? texts.unknown : { quoted: String(value) };
    else if (typeof value !== 'object') values[name] = typeof value === 'number' ? value : String(value);
  const [says = '', advice = ''] = textsOf(finding, texts.findings);
  return { says: phrase(says, values, locale), advice: phrase(advice, values, locale) };
}

/** What is, and what to do: where a code has one text, an arrow stands between the two. */
function textsOf(finding: Finding, texts: Texts['findings']['findings']): readonly string[] {
  switch (finding.code) {
    case 'halted':
      return [texts.halted[finding.halt?.reason ?? 'said'], texts.halted.do];
    case 'never_complete':
      return [texts.never_complete[finding.is_beside ? 'beside' : 'live'], texts.never_complete.do];
    case 'not_fed':
      return [texts.not_fed[finding.why], texts.not_fed.do];
    case 'not_searchable':
      return [texts.not_searchable[finding.reason === null ? 'more' : 'one'], texts.not_searchable.do];
    default:
      return texts[finding.code].split(' → ');
  }
}

/** Positions are names of places, not amounts: without separators. */
function haltPlaces(halt: Halt): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(halt).map(([name, value]) => {
      if (name === 'time' || name === 'found') return [name, instantOrMs(value as number)];
      return [name, name === 'to' ? `${Number(value) - 1}` : `${value}`];
    }),
  );
}

/** What it is about, as people call it. */
export function subjectOf({ code, subject }: Finding, locale: Locale): string {
  const { subjects } = TEXTS[locale].findings;
  return Object.hasOwn(subjects, code) ? subjects[code as keyof typeof subjects] : subject;
}

/** In English, as the command line, `/readyz` and the log say it: what is, since when, and what to do. */
export function englishOf(finding: Finding) {
  const { says, advice } = findingPhrases(finding, 'en');
  const { since } = finding;
  return {
    says: inOneLine(says),
    since: since === null ? '' : ` (${fill(TEXTS.en.findings.since, { since }, 'en')})`,
    advice: inOneLine(advice),
  };
}

/** The same in one line. */
export function lineOf(finding: Finding): string {
  const { says, advice, since } = englishOf(finding);
  return `${says} ${advice}${since}`;
}

function inOneLine(said: Phrase): string {
  return said.map((piece) => (typeof piece === 'string' ? piece : piece.quoted)).join('');
}
