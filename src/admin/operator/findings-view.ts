import { termHtml } from '../../api/pages/parts/facts.ts';
import { html, type Html } from '../../api/pages/shell/html.ts';
import type { Finding } from '../../findings/finding.ts';
import type { Overview } from '../../operations/overview.ts';
import { findingPhrases, type Phrase, subjectOf } from '../../findings/finding-texts.ts';
import { TEXTS } from '../../texts/texts.ts';
import type { NamedHealth } from '../probes-and-metrics.ts';
import type { OperatorVisit } from './operator-context.ts';

/** Shown at most: a fault that all lanes share needs no more. */
const SHOWN = 30;

export interface PageFacts {
  /** What `/readyz` says. */
  readonly checks: readonly NamedHealth[];
  readonly overview: Overview | null;
}

interface Line {
  readonly isProblem: boolean;
  readonly subject: Html;
  readonly text: Html;
}

/** All that is late, stuck or waiting, the problems first: of this process, and what `status` prints. */
export function findingsIn({ checks, overview }: PageFacts, visit: OperatorVisit): readonly Line[] {
  const { texts } = visit;
  const status = overview !== null && 'value' in overview.status ? overview.status.value.findings : [];
  const unwell = checks.filter(({ ok, degraded }) => !ok || degraded);
  // What both tell of is told once, as `status` does.
  const found = new Map<string, Finding>();
  for (const finding of [...unwell.flatMap(({ findings = [] }) => findings), ...status])
    found.set(`${finding.code} ${finding.subject}`, finding);
  const lines = unwell
    .filter(({ findings = [] }) => findings.length === 0)
    .map(({ name, detail }) => ({
      isProblem: true,
      subject: termHtml(`/readyz ${name}`),
      text: phraseView([texts.findings.check, { quoted: detail }]),
    }));
  lines.push(...[...found.values()].map((finding) => lineOf(finding, visit)));
  return lines.toSorted((a, b) => Number(b.isProblem) - Number(a.isProblem));
}

function lineOf(finding: Finding, { locale, say, format }: OperatorVisit): Line {
  const { says, advice } = findingPhrases(finding, locale);
  const { code, severity, since } = finding;
  const subject = termHtml(subjectOf(finding, locale));
  return {
    isProblem: severity === 'problem',
    subject: code === 'differs' ? html`<a href="#verification">${subject}</a>` : subject,
    text: html`${phraseView([...says, ' ', ...advice])}
    ${since !== null && html`<span class="small">${say(TEXTS[locale].findings.since, { since: format.moment(since) })}</span>`}`,
  };
}

/** With the command that helps, in the language of the page. */
export function findingsSection(
  lines: readonly Line[],
  { overview }: PageFacts,
  { texts, role, say }: OperatorVisit,
): Html {
  const { findings } = texts;
  const unread = overview !== null && 'trouble' in overview.status ? overview.status.trouble : null;
  const rest = lines.length - SHOWN;
  return html`${role !== 'project' && html`<p class="empty">${findings.unseen}</p> `}
    ${unread !== null && html`<p class="notice bad">${texts.unreadable} <code lang="en">${unread}</code></p> `}
    ${lines.length === 0 && role === 'project' && unread === null && html`<p class="empty">${findings.none}</p> `}
    <ul class="findings">
      ${lines.slice(0, SHOWN).map(
        ({ isProblem, subject, text }) =>
          html`<li class="notice ${isProblem ? 'bad' : 'plain'}">
            <strong>${isProblem ? findings.problem : findings.note}</strong>
            ${subject}: ${text}
          </li> `,
      )}
    </ul>
    ${rest > 0 && html`<p class="quiet">${say(findings.more, { count: rest })}</p> `}`;
}

/** What a program has said is English, and told as such. */
export function phraseView(phrase: Phrase): Html {
  return html`<span
    >${phrase.map((piece) =>
      typeof piece === 'string' ? html`${piece}` : html`<q lang="en">${piece.quoted}</q>`,
    )}</span
  >`;
}
