import { html, type Html } from '../../api/pages/shell/html.ts';
import type { Overview } from '../../operating/overview.ts';
import type { Judged } from './checks-view.ts';
import type { OperatorVisit } from './visit.ts';

interface Known {
  readonly checks: readonly Judged[];
  readonly overview: Overview | null;
  readonly trouble: string | null;
}

interface Line {
  readonly text: string;
  /** The part of the page that says more. */
  readonly place: string;
  /** Whether it needs a hand. */
  readonly isBad: boolean;
}

/** What there is to do, in a line each, with the way to it; `short` for the title of the window, null where it is nothing. */
export function summaryOf(
  known: Known,
  { texts, frame, standing }: OperatorVisit,
): { view: Html; short: string | null } {
  const lines = linesOf(known, texts, frame);
  const bad = lines.filter(({ isBad }) => isBad);
  const isUnknown = known.trouble !== null || (known.overview !== null && 'trouble' in known.overview.status);
  const verdict = isUnknown
    ? texts.summary.unknown
    : bad.length > 0
      ? null
      : // Without the log, nobody can say that all is well.
        standing === 'projects'
        ? texts.summary.well
        : texts.findings.unseen;
  const view = html`<nav
    class="notice ${bad.length > 0 || isUnknown ? 'bad' : 'plain'}"
    aria-label="${texts.summary.title}"
  >
    <ul class="summary">
      ${verdict === null ? '' : html`<li><strong>${verdict}</strong></li> `}
      ${[...bad, ...lines.filter(({ isBad }) => !isBad)].map(
        ({ text, place, isBad }) =>
          html`<li>
            ${isBad ? html`<strong><a href="#${place}">${text}</a></strong>` : html`<a href="#${place}">${text}</a>`}
          </li> `,
      )}
    </ul>
  </nav> `;
  return { view, short: bad[0]?.text ?? null };
}

function linesOf(
  { checks, overview }: Known,
  { summary }: OperatorVisit['texts'],
  { format }: OperatorVisit['frame'],
): readonly Line[] {
  const lines: Line[] = [];
  const add = (count: number, forms: Parameters<typeof format.plural>[0], place: string, isBad: boolean) => {
    if (count > 0) lines.push({ text: format.plural(forms, count), place, isBad });
  };
  const failing = checks.filter(({ ok, degraded }) => !ok || degraded === true).length;
  const status = overview !== null && 'value' in overview.status ? overview.status.value : null;
  const problems = status?.findings.filter(({ severity }) => severity === 'problem').length ?? 0;
  add(problems, summary.problems, 'findings', true);
  add(failing, summary.checks, 'checks', true);
  if (overview !== null && 'value' in overview.verification)
    if (overview.verification.value.ended?.report?.ok === false)
      lines.push({ text: summary.differs, place: 'verification', isBad: true });
  add(status?.parked ?? 0, summary.parked, 'parked', true);
  const late = status?.lanes.reduce((sum, { lag }) => sum + lag, 0) ?? 0;
  add(late, summary.late, 'lanes', false);
  if (overview !== null && 'value' in overview.versions)
    add(
      overview.versions.value.filter(({ state }) => state === 'building').length,
      summary.building,
      'builds',
      false,
    );
  if (overview !== null && 'value' in overview.quota)
    add(overview.quota.value.full, summary.full, 'quota', false);
  return lines;
}
