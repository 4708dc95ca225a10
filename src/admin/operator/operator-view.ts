import { html, type Html } from '../../api/pages/shell/html.ts';
import type { Overview, Section } from '../../operations/overview.ts';
import { actsSection } from './act-log-view.ts';
import { buildsSection } from './builds-view.ts';
import { findingsIn, findingsSection, type PageFacts } from './findings-view.ts';
import { lockView } from './act-controls.ts';
import { operatorLayout } from './operator-layout.ts';
import type { Notice } from './read-page.ts';
import { parkedSection } from './parked-view.ts';
import { verificationSection } from './verification-view.ts';
import type { OperatorVisit } from './operator-context.ts';

/** `overview`: null where it cannot be read, or this process may not. */
interface OperatorPageFacts extends PageFacts {
  readonly notice: Notice | null;
  /** Why it cannot be read. */
  readonly trouble: string | null;
}

/** Everything on one page, the most urgent first. */
export function operatorView(shown: OperatorPageFacts, visit: OperatorVisit): Html {
  const { overview, notice, trouble } = shown;
  const { texts, say, format } = visit;
  const findings = findingsIn(shown, visit);
  const problems = findings.filter(({ isProblem }) => isProblem).length;
  const content = html`<main id="content" class="page operator" data-refresh>
    <h1>${texts.title}</h1>
    ${overview !== null && html`<p class="quiet">${say(texts.at, { at: format.moment(overview.at) })}</p> `}
    ${notice !== null && html`<p class="notice" role="status">${texts.notice[notice]} <a href="#acts">${texts.parts.acts.title}</a></p> `}
    ${trouble !== null && html`<p class="notice bad" role="alert">${texts.unreadable} <code lang="en">${trouble}</code></p> `}
    <p class="notice bad" role="alert" data-unreached hidden>${texts.unreached}</p>
    ${part('findings', { value: findings }, visit, (lines) => findingsSection(lines, shown, visit))}
    ${lockView(visit)} ${overview !== null && sections(overview, visit)}
  </main> `;
  const title =
    problems === 0 ? texts.title : `${say(texts.findings.problems, { count: problems })} · ${texts.title}`;
  return operatorLayout(visit, { title, content, refreshes: true });
}

function sections({ status, versions, parked, verification, acts }: Overview, visit: OperatorVisit): Html {
  return html`${part('builds', versions, visit, (builds) => buildsSection(builds, visit))}
  ${part('verification', verification, visit, (found) => verificationSection(found, visit))}
  ${part('parked', status, visit, ({ parked_by: groups }) => parkedSection(groups, parked, visit))}
  ${part('acts', acts, visit, (all) => actsSection(all, visit))}`;
}

/** A part of the page under its heading; one that cannot be read says so, and hides no other. */
function part<T>(
  name: keyof OperatorVisit['texts']['parts'],
  section: Section<T>,
  { texts }: OperatorVisit,
  view: (value: T) => Html,
): Html {
  const { title, text } = texts.parts[name];
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}">${title}</h2>
    <p class="quiet">${text}</p>
    ${'value' in section ? view(section.value) : html`<p class="notice bad">${texts.unreadable} <code lang="en">${section.trouble}</code></p> `}
  </section> `;
}
