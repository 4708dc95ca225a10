import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { Finding } from '../../operations/findings.ts';
import type { Overview } from '../../operations/overview.ts';
import { findingPhrase, type Phrase, subjectOf } from '../../operations/finding-texts.ts';
import type { NamedHealth } from '../app.ts';
import type { OperatorVisit } from './visit.ts';

/** Shown at most: a fault that all lanes share needs no more. */
const SHOWN = 30;

export interface Known {
  /** What `/readyz` says. */
  readonly checks: readonly NamedHealth[];
  readonly overview: Overview | null;
}

interface Line {
  readonly isProblem: boolean;
  readonly subject: Html;
  readonly text: Phrase;
}

/** All that is late, stuck or waiting, the problems first: of this process, and what `status` prints. */
export function findingsIn({ checks, overview }: Known, visit: OperatorVisit): readonly Line[] {
  const { texts, locale } = visit;
  const found = overview !== null && 'value' in overview.status ? overview.status.value.findings : [];
  const lines: Line[] = checks
    .filter(({ ok, degraded }) => !ok || degraded)
    // The lanes and the projector that are named are this one's.
    .filter(({ name }) => name !== 'projector' || !found.some(isOfProjector))
    .map(({ name, detail }) => ({
      isProblem: true,
      subject: html`<code translate="no">/readyz ${name}</code>`,
      text: [texts.findings.check, { quoted: detail }],
    }));
  if (overview !== null && 'value' in overview.verification)
    if (overview.verification.value.ended?.report?.ok === false)
      lines.push({
        isProblem: true,
        subject: html`<a href="#verification">${texts.parts.verification.title}</a>`,
        text: [texts.findings.differs],
      });
  for (const finding of found)
    lines.push({
      isProblem: finding.severity === 'problem',
      subject: html`<code translate="no">${subjectOf(finding, locale)}</code>`,
      text: findingPhrase(finding, locale),
    });
  return lines.toSorted((a, b) => Number(b.isProblem) - Number(a.isProblem));
}

function isOfProjector({ code }: Finding): boolean {
  return code === 'halted' || code === 'not_ready';
}

/** With the command that helps, in the language of the page. */
export function findingsSection(
  lines: readonly Line[],
  { overview }: Known,
  { texts, frame, role }: OperatorVisit,
): Html {
  const { findings } = texts;
  const unread = overview !== null && 'trouble' in overview.status ? overview.status.trouble : null;
  const rest = lines.length - SHOWN;
  return html`${role === 'project' ? NOTHING : html`<p class="empty">${findings.unseen}</p> `}
    ${unread === null ? NOTHING : html`<p class="notice bad">${texts.unreadable} <code lang="en">${unread}</code></p> `}
    ${lines.length > 0 || role !== 'project' || unread !== null ? NOTHING : html`<p class="empty">${findings.none}</p> `}
    <ul class="findings">
      ${lines.slice(0, SHOWN).map(
        ({ isProblem, subject, text }) =>
          html`<li class="notice ${isProblem ? 'bad' : 'plain'}">
            <strong>${isProblem ? findings.problem : findings.note}</strong>
            ${subject} ${phraseView(text)}
          </li> `,
      )}
    </ul>
    ${rest > 0 ? html`<p class="quiet">${frame.say(findings.more, { count: rest })}</p> ` : NOTHING}`;
}

/** What a program has said is English, and told as such. */
export function phraseView(phrase: Phrase): Html {
  return html`<span
    >${phrase.map((piece) =>
      typeof piece === 'string' ? html`${piece}` : html`<q lang="en">${piece.quoted}</q>`,
    )}</span
  >`;
}
