import { duration, number } from '../../platform/amounts.ts';
import { commandLine } from '../../platform/command-line.ts';
import { toInstant } from '../../platform/instant.ts';
import type { Halt } from '../../projecting/engine/lane.ts';
import type { Finding } from '../findings.ts';
import { en } from './finding-texts-en.ts';
import { ru } from './finding-texts-ru.ts';
import { inOneLine, phrase, type Amounts, type Phrase, type Quoted } from './phrase.ts';

export type FindingTexts = typeof en;

export const FINDING_TEXTS = { ru, en };

/** What a finding says in a language: why, and what to do. Pure. */
export function findingPhrase(finding: Finding, texts: FindingTexts, amounts: Amounts): Phrase {
  const start = texts.start.replace('{command}', commandLine('project'));
  const orNone = (reason: string | null) => (reason === null ? texts.noReason : { quoted: reason });
  const say = (text: string, values: Readonly<Record<string, string | Quoted>> = {}) =>
    phrase(text, { start, ...values });
  switch (finding.code) {
    case 'halted':
      return finding.halt === null
        ? say(texts.halted.said, { reason: orNone(finding.reason) })
        : say(texts.halted[finding.halt.reason], { lane: finding.subject, ...placesOf(finding.halt) });
    case 'not_projected': {
      const since = finding.heard_of_at ?? texts.never;
      return say(texts.not_projected, { records: amounts.plural(texts.records, finding.waiting), since });
    }
    case 'no_owner':
    case 'waits_for_transaction':
      return say(texts[finding.code], { records: amounts.plural(texts.records, finding.waiting) });
    case 'paused':
    case 'not_claimed': {
      const { where, for_ms, reason } = finding;
      return say(texts[finding.code], {
        where,
        time: amounts.duration(for_ms / 1000),
        reason: orNone(reason),
      });
    }
    case 'not_ready':
      return say(texts.not_ready, { detail: { quoted: finding.detail } });
    case 'never_complete': {
      const { live, beside, under_way: underWay } = texts.never_complete;
      const toGo = amounts.plural(texts.recordsToGo, finding.waiting);
      const how = finding.has_projector ? underWay.replace('{toGo}', toGo) : start;
      return say(finding.is_beside ? beside : live, { how });
    }
    case 'not_fed':
      return unfed(finding, texts, amounts);
    case 'not_searchable':
      return finding.reason === null
        ? say(amounts.plural(texts.not_searchable.more, finding.more))
        : say(texts.not_searchable.one, { reason: { quoted: finding.reason } });
    case 'not_announced':
      return say(texts.not_announced, { trouble: { quoted: finding.trouble } });
    case 'upgrade_ready': {
      const command = commandLine(`cut-over ${finding.name} --to ${finding.subject}`);
      return say(texts.upgrade_ready, { command });
    }
    case 'verification_due':
      return say(texts.verification_due, { command: commandLine('verify') });
    case 'parked':
      return say(amounts.plural(texts.parked, finding.count), { command: commandLine('parked list') });
    case 'never_projected':
    case 'no_projector':
    case 'filling':
    case 'unknown_fold':
      return say(texts[finding.code]);
  }
}

function unfed(
  finding: Finding & { readonly code: 'not_fed' },
  { not_fed: texts, documents }: FindingTexts,
  amounts: Amounts,
): Phrase {
  switch (finding.why) {
    case 'trouble':
      return phrase(texts.trouble, { trouble: { quoted: finding.trouble } });
    case 'behind':
      return phrase(texts.behind, { time: amounts.duration(finding.behind_ms / 1000) });
    case 'no_projector':
    case 'no_feeder':
      return phrase(texts[finding.why], { documents: amounts.plural(documents, finding.waiting) });
  }
}

/** Positions are names of places, not amounts: without separators. */
function placesOf(halt: Halt): Readonly<Record<string, string>> {
  switch (halt.reason) {
    case 'gap':
      return { from: String(halt.from), to: String(halt.to - 1) };
    case 'log_younger':
      return { position: String(halt.position), latest: String(halt.latest) };
    case 'log_replaced':
      return { position: String(halt.position), time: momentOf(halt.time), found: momentOf(halt.found) };
  }
}

/** Producers may give their records any time at all. */
function momentOf(ms: number): string {
  return toInstant(ms) ?? `${ms} ms`;
}

/** What it is about, as people call it. */
export function subjectOf(finding: Finding, { subjects }: FindingTexts): string {
  switch (finding.code) {
    case 'never_projected':
    case 'no_projector':
    case 'not_announced':
    case 'verification_due':
    case 'parked':
      return subjects[finding.code];
    case 'not_ready':
      return subjects.not_ready.replace('{where}', finding.where);
    default:
      return finding.subject;
  }
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
