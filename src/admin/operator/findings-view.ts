import { html, type Html } from '../../api/pages/shell/html.ts';
import { FINDING_TEXTS, findingPhrase, subjectOf } from '../../operating/words/finding-words.ts';
import type { Phrase } from '../../operating/words/phrase.ts';
import type { StatusReport } from '../../operating/status.ts';
import type { OperatorVisit } from './visit.ts';

/** Shown at most: a fault that all lanes share needs no more. */
const SHOWN = 30;

/** What is late, stuck or waiting, with the command that helps: what `status` prints, in the language of the page. */
export function findingsSection(
  { findings }: StatusReport,
  { texts, standing, locale, frame }: OperatorVisit,
): Html {
  if (standing !== 'projects') return html`<p class="empty">${texts.findings.unseen}</p> `;
  if (findings.length === 0) return html`<p class="empty">${texts.findings.none}</p> `;
  const words = FINDING_TEXTS[locale];
  const rest = findings.length - SHOWN;
  return html`<ul class="findings">
      ${findings.slice(0, SHOWN).map(
        (finding) =>
          html`<li class="notice ${finding.severity === 'problem' ? 'bad' : 'plain'}">
            <strong>${texts.findings[finding.severity]}</strong>
            <code translate="no">${subjectOf(finding, words)}</code>
            ${phraseView(findingPhrase(finding, words, frame.format))}
          </li> `,
      )}
    </ul>
    ${rest > 0 ? html`<p class="quiet">${frame.say(texts.findings.more, { count: frame.format.number(rest) })}</p> ` : ''}`;
}

/** What a program has said is English, and told as such. */
function phraseView(phrase: Phrase): Html {
  return html`<span
    >${phrase.map((piece) =>
      typeof piece === 'string' ? html`${piece}` : html`<q lang="en">${piece.quoted}</q>`,
    )}</span
  >`;
}
