import type { Component } from '../../../monitor/status-schema.ts';
import { policy as policySchema, type Policy } from '../../../monitor/policy.ts';
import type { ShownStatus } from '../../../monitor/reading/status-reader.ts';
import { TEXTS } from '../../../texts/texts.ts';
import { codeBlock, termHtml } from '../parts/facts.ts';
import { table, wideTable } from '../parts/table.ts';
import { type PageContext, paths } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { dayBars } from './uptime-bars.ts';
import { toldIncidents } from './incident-texts.ts';
import { latencies } from './latency-charts.ts';

const WINDOWS = ['24h', '7d', '30d', '90d'] as const;

export function statusView(shown: ShownStatus, context: PageContext): Html {
  const { locale, root, shell } = context;
  const texts = shell.pages.status;
  const { body } = shown;
  const content = html`<main id="content" class="page" data-refresh>
    <h1>${texts.title}</h1>
    ${overall(shown, context)}
    <section aria-labelledby="components">
      <h2 id="components">${texts.components}</h2>
      ${legend(context)}
      <div class="components">${body.components.map((component) => service(component, shown, context))}</div>
    </section>
    ${latencies(shown, context)}${incidents(shown, context)}${rules(body.policy, context)}
    <section class="card" aria-labelledby="embed">
      <h2 id="embed">${texts.embed}</h2>
      <p class="quiet">${texts.embedIs}</p>
      <p>
        <img
          src="${root}${paths.badge(locale)}"
          alt="${texts.badge}: ${context.shell.states[body.state]}"
          height="20"
        />
      </p>
      ${codeBlock(`<img src="${context.publicUrl}/${paths.badge(locale)}" alt="${texts.badge}">`)}
      <ul class="links">
        <li><a href="${root}${paths.incidents(locale)}">${texts.feed}</a></li>
        <li><a href="${root}api/status">${texts.data}</a></li>
      </ul>
    </section>
  </main> `;
  return layout(context, {
    title: texts.title,
    description: `${body.text[locale]} ${texts.description}`,
    place: paths.status,
    current: 'status',
    styles: ['catalog.css', 'status.css'],
    refreshes: true,
    head: html`<link
      rel="alternate"
      type="application/atom+xml"
      title="${texts.feed}"
      href="${root}${paths.incidents(locale)}"
    />`,
    content,
  });
}

function overall({ body, timelines }: ShownStatus, { locale, format, say, shell }: PageContext): Html {
  const texts = shell.pages.status;
  const { state, since, checked_at: checkedAt, stale, uptime } = body;
  const { core } = timelines();
  return html`<section class="overall ${state}">
    <p class="statement">${body.text[locale]}</p>
    <p>
      ${checkedAt === null ? texts.never : say(texts.checked, { at: format.moment(checkedAt) })}${since !== null && html`. ${say(texts.since, { at: format.moment(since) })}`}
    </p>
    ${stale && html`<p>${texts.stale}</p> `}
    <dl class="figures">
      ${WINDOWS.map((name) => {
        const { pct, coverage } = uptime[name];
        return html`<div>
          <dt>${texts.window[name]}</dt>
          <dd>${format.percent(pct, 2)}</dd>
          ${core && core[name] !== null && html`<dd class="small">${say(texts.core, { uptime: format.percent(core[name], 2) })}</dd>`}
          <dd class="small">${say(texts.known, { coverage: format.percent(100 * coverage) })}</dd>
        </div> `;
      })}
    </dl>
    <p class="small">${texts.uptime}: ${texts.uptimeIs}</p>
  </section> `;
}

function legend({ shell }: PageContext): Html {
  const texts = shell.pages.status;
  const states = ['up', 'degraded', 'down'] as const;
  return html`<ul class="legend" aria-label="${texts.legend}">
    ${states.map((state) => html`<li><i class="${state}"></i>${shell.states[state]}</li> `)}
    <li><i class="gap"></i>${texts.gap}</li>
  </ul> `;
}

function service(component: Component, { timelines }: ShownStatus, context: PageContext): Html {
  const { locale, shell, format } = context;
  const texts = shell.pages.status;
  const name = component.name[locale];
  const { pct } = component.uptime['90d'];
  const days = timelines().components.get(component.id)?.days ?? [];
  return html`<article class="card">
    <div class="heading">
      <h3>${name}${component.critical && html` <small>${texts.critical}</small>`}</h3>
      <p>
        <span class="quiet">${pct !== null && format.percent(pct, 2)}</span>
        <span class="state ${component.state}">${shell.states[component.state]}</span>
      </p>
    </div>
    ${days.length === 0 ? html`<p class="quiet">${texts.never}</p>` : dayBars(component.id, name, days, context)}
  </article> `;
}

function incidents({ body, timelines }: ShownStatus, context: PageContext): Html {
  const { format, shell } = context;
  const texts = shell.pages.status;
  const told = toldIncidents(body, timelines(), context);
  return html`<section aria-labelledby="incidents">
    <h2 id="incidents">${texts.incidents}</h2>
    ${
      told.length === 0
        ? html`<p class="empty">${texts.none}</p> `
        : told.map(
            ({ id, title, severity, isOpen, outcome, cause, startedAt, steps }) =>
              html`<article class="incident ${severity}" id="${id}">
                <div class="heading">
                  <h3>${title}</h3>
                  <p class="${isOpen ? 'state down' : 'quiet'}">${outcome}</p>
                </div>
                <p class="quiet small">${format.moment(startedAt)}${cause !== null && html` · ${cause}`}</p>
                <details ${isOpen && html`open`}>
                  <summary>${texts.steps}<span class="hidden">: ${title}</span></summary>
                  <ol class="timeline">
                    ${steps.map(({ at, text }) => html`<li><time datetime="${at}">${format.moment(at)}</time> ${text}</li> `)}
                  </ol>
                </details>
              </article> `,
          )
    }
  </section> `;
}

/** The numbers with what they mean, in the words of the guide. */
function rules(policy: Policy, { locale, format, say, shell }: PageContext): Html {
  const texts = shell.pages.status;
  const meanings = TEXTS[locale].docs.policy;
  const names = Object.keys(policySchema.shape) as (keyof Policy)[];
  return html`<section aria-labelledby="rules">
    <h2 id="rules">${texts.rules}</h2>
    <p class="quiet">${say(texts.rulesIs, { interval: policy.interval_s })}</p>
    <details>
      <summary>${texts.showRules}</summary>
      ${wideTable(
        texts.rules,
        table(names, [
          { title: texts.rule, cell: (name) => html`${meanings[name]} ${termHtml(name)}` },
          { title: texts.number, isNumber: true, cell: (name) => format.number(policy[name]) },
        ]),
      )}
    </details>
  </section> `;
}
