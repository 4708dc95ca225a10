import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { Overview, Section } from '../../operating/overview.ts';
import { actsSection } from './acts-view.ts';
import { operatorLayout } from './operator-layout.ts';
import { buildsSection } from './builds-view.ts';
import { checksTable, type Judged } from './checks-view.ts';
import { findingsSection } from './findings-view.ts';
import { lockView } from './forms.ts';
import { lanesSection } from './lanes-view.ts';
import type { Notice } from './page.ts';
import { parkedSection } from './parked-section.ts';
import { quotaSection, searchSection } from './serving-view.ts';
import { summaryOf } from './summary.ts';
import { verificationSection } from './verification-view.ts';
import type { OperatorVisit } from './visit.ts';

export interface OperatorShown {
  readonly checks: readonly Judged[];
  /** null where it cannot be read, or this process may not. */
  readonly overview: Overview | null;
  readonly notice: Notice | null;
  /** Why it cannot be read. */
  readonly trouble: string | null;
}

/** Everything on one page, the most urgent first. */
export function operatorView(
  { checks, overview, notice, trouble }: OperatorShown,
  visit: OperatorVisit,
): Html {
  const { texts, frame } = visit;
  const summary = summaryOf({ checks, overview, trouble }, visit);
  const content = html`<main id="content" class="page operator" data-refresh>
    <h1>${texts.title}</h1>
    ${overview === null ? NOTHING : html`<p class="quiet">${frame.say(texts.at, { at: frame.format.moment(overview.at) })}</p> `}
    ${notice === null ? NOTHING : html`<p class="notice" role="status">${texts.notice[notice]} <a href="#acts">${texts.parts.acts.title}</a></p> `}
    ${trouble === null ? NOTHING : html`<p class="notice bad" role="alert">${texts.unreadable} <code lang="en">${trouble}</code></p> `}
    <p class="notice bad" role="alert" data-unreached hidden>${texts.unreached}</p>
    ${summary.view}
    ${overview === null ? NOTHING : part('findings', overview.status, (report) => findingsSection(report, visit), visit)}
    ${lockView(visit)}
    <section aria-labelledby="checks">
      <h2 id="checks">${texts.checks.title}</h2>
      ${checksTable(checks, visit)}
    </section>
    ${overview === null ? NOTHING : sections(overview, visit)}
  </main> `;
  const title = summary.short === null ? texts.title : `${summary.short} · ${texts.title}`;
  return operatorLayout({ title, content, refreshes: true }, visit);
}

function sections(overview: Overview, visit: OperatorVisit): Html {
  const { status, versions, parked, quota, verification, acts } = overview;
  return html`${part('lanes', status, (report) => lanesSection(report, visit), visit)}
  ${part('builds', versions, (builds) => buildsSection(builds, visit), visit)}
  ${part('verification', verification, (found) => verificationSection(found, visit), visit)}
  ${part('parked', status, ({ parked_by: groups }) => parkedSection(groups, parked, visit), visit)}
  ${part('search', status, ({ search }) => searchSection(search, visit), visit)}
  ${part('quota', quota, (today) => quotaSection(today, visit), visit)}
  ${part('acts', acts, (all) => actsSection(all, visit), visit)}`;
}

/** A part of the page under its heading; one that cannot be read says so, and hides no other. */
function part<T>(
  name: keyof OperatorVisit['texts']['parts'],
  section: Section<T>,
  view: (value: T) => Html,
  { texts }: OperatorVisit,
): Html {
  const { title, text } = texts.parts[name];
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}">${title}</h2>
    <p class="quiet">${text}</p>
    ${'value' in section ? view(section.value) : html`<p class="notice bad">${texts.unreadable} <code lang="en">${section.trouble}</code></p> `}
  </section> `;
}
