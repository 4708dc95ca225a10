import { pathBelowBase } from '../../openapi/document.ts';
import { ROUTES } from '../../routes.ts';
import { search } from '../../routes/search.ts';
import { code, heading, paragraph, table, term, type Section } from '../blocks.ts';
import { html, NOTHING, type Html } from '../html.ts';
import { EXPORT_KEY, firstRequests } from '../snippets.ts';
import type { Writing } from '../writing.ts';

/** From nothing to an answer. */
export function quickStart(writing: Writing): Section {
  const { texts, prose, locale, base } = writing;
  const { quickStart: said } = texts;
  const example = JSON.stringify(search.example(locale), null, 2);
  return {
    id: 'quick-start',
    title: said.title,
    body: [
      heading('get-a-key', said.key),
      paragraph(prose(said.getting)),
      code({ ...EXPORT_KEY, caption: said.pasting }),
      heading('ask', said.ask),
      paragraph(prose(said.asking)),
      ...firstRequests({ base, locale }).map(code),
      heading('answers', said.answer),
      paragraph(prose(said.answering)),
      code({ language: 'json', caption: said.example, text: example }),
      heading('addresses', said.addresses),
      paragraph(prose(said.addressing)),
      addresses(writing),
    ],
  };
}

function addresses({ texts, locale }: Writing): Html {
  const { quickStart: said, table: titles } = texts;
  const rows = ROUTES.map((route) => [
    html`<a href="${locale}/reference#/${route.tag}/${route.operation}">${term(pathBelowBase(route))}</a>`,
    html`${route.texts[locale].summary}`,
    html`${Object.keys(route.parameters).map((name) => html`${term(name)} `)}`,
  ]);
  const open = [html`<a href="../api/status">${term('/api/status')}</a>`, html`${said.open}`, NOTHING];
  return table({
    label: said.addresses,
    head: [said.address, said.gives, titles.parameters],
    rows: [...rows, open],
  });
}
