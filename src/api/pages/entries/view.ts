import { BASE } from '../../api-route-contract.ts';
import type { Listing } from '../../routes/listing-schema.ts';
import { avatar, kindOf, marks } from '../parts/entry-list.ts';
import { codeBlock, fact } from '../parts/facts.ts';
import { type PageContext, paths } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { metricsCard } from './metrics-card.ts';
import { scoreCard } from './score-card.ts';

export function entryView(entry: Listing, context: PageContext): Html {
  const place = paths.entry(entry.slug);
  const content = html`<main id="content" class="page">
    ${head(entry, context)}
    <div class="with-aside">
      <div>${metricsCard(entry, context)}${scoreCard(entry.score, context)}${sample(entry, context)}</div>
      <aside>${facts(entry, context)}</aside>
    </div>
  </main> `;
  const described = entry.summary ?? entry.description ?? `${kindOf(entry, context)} @${entry.username}`;
  return layout(context, {
    title: entry.title,
    description: Array.from(described).slice(0, 300).join(''),
    place,
    current: 'search',
    styles: ['catalog.css'],
    content,
  });
}

function head(entry: Listing, context: PageContext): Html {
  const { root, locale, shell, format, say } = context;
  const { slug, title, username, category, score, summary } = entry;
  const description = beyondSummary(entry);
  const shown = format.number(score.value, 1);
  return html`<header class="entry-head">
      ${avatar(slug, title)}
      <div>
        <h1><span dir="auto">${title}</span>${marks(entry, context)}</h1>
        <p class="about quiet">
          <span>${kindOf(entry, context)}</span> <span>@${username}</span>
          ${
            category !== null &&
            html`<a href="${root}${paths.category(category.slug)(locale)}">${category.title}</a>`
          }
        </p>
      </div>
      <p class="big-score" title="${say(shell.scoreOf, { score: shown })}">
        <b>${shown}</b><span>${shell.score}${score.preliminary ? `, ${shell.preliminary}` : ''}</span>
      </p>
    </header>
    ${summary !== null && html`<p class="lead" dir="auto">${summary}</p> `}${
      description !== '' && html`<p class="description" dir="auto">${description}</p> `
    }`;
}

/** Many descriptions begin with the very summary, which stands above them. A sentence that only begins so stays whole. */
function beyondSummary({ summary, description }: Listing): string {
  const text = description ?? '';
  if (summary === null || !text.startsWith(summary)) return text;
  const rest = text.slice(summary.length);
  const isWhole = rest.trim() === '' || /^\s*\n/.test(rest) || (/[.!?…]$/.test(summary) && /^\s/.test(rest));
  return isWhole ? rest.trim() : text;
}

function facts(entry: Listing, { format, shell }: PageContext): Html {
  const texts = shell.pages.entry;
  const away = (url: string | null, title: string, style: string) =>
    url !== null &&
    html`<a class="${style}" href="${url}" dir="auto" rel="noopener noreferrer nofollow ugc">${title}</a> `;
  const rows = [
    [texts.language, entry.language && format.language(entry.language)],
    [texts.country, entry.country && format.country(entry.country)],
    [texts.published, format.day(entry.published_at)],
    [texts.updated, format.moment(entry.updated_at)],
    [
      texts.tags,
      entry.tags.length === 0
        ? null
        : html`${entry.tags.map((tag, at) => html`${at === 0 ? '' : ', '}<bdi>${tag}</bdi>`)}`,
    ],
  ] as const;
  const links = [
    [entry.page_url, texts.page] as const,
    ...entry.links.map(({ rel, url }) => [url, rel] as const),
    [entry.image_url, texts.picture] as const,
  ].filter(([url]) => url !== null);
  return html`<div class="card">
    ${away(entry.open_url, texts.open, 'button wide')}
    <dl class="facts">${rows.map(([name, value]) => fact(name, value))}</dl>
    ${
      links.length > 0 &&
      html`<h2 class="small">${texts.links}</h2>
        <ul class="links">
          ${links.map(([url, title]) => html`<li>${away(url, title, '')}</li> `)}
        </ul>`
    }
  </div> `;
}

function sample({ slug }: Listing, { locale, publicUrl, shell }: PageContext): Html {
  const texts = shell.pages.entry;
  const address = `${publicUrl}${BASE}/listings/${slug}?locale=${locale}`;
  return html`<section class="card" aria-labelledby="api">
    <h2 id="api">${texts.api}</h2>
    <p class="quiet">${texts.apiIs}</p>
    ${codeBlock(`curl -H "x-api-key: $CATALOG_KEY" \\\n  '${address}'`)}
  </section> `;
}
