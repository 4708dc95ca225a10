import { exampleBody } from '../../openapi/examples.ts';
import { tagOf } from '../../openapi/document.ts';
import { textsIn } from '../../messages/texts.ts';
import type { ApiRoute } from '../../route.ts';
import { BASE, ROUTES } from '../../routes.ts';
import { code, heading, paragraph, table, term, type Section } from '../blocks.ts';
import { html, NOTHING, type Html } from '../html.ts';
import { EXPORT_KEY, firstRequests } from '../snippets.ts';
import type { Writing } from '../writing.ts';

/** From nothing to an answer. */
export function quickStart(writing: Writing): Section {
  const { texts, prose, locale, base } = writing;
  const { quickStart: said } = texts;
  const example = JSON.stringify(exampleBody('searchListings', locale), null, 2);
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
  const { summaries } = textsIn(locale).openApi;
  const described: Readonly<Record<string, string>> = summaries;
  const rows = ROUTES.map((route) => [
    html`<a href="${locale}/reference#/${tagOf(route.operation)}/${route.operation}"
      >${term(pathOf(route))}</a
    >`,
    html`${described[route.operation] ?? ''}`,
    html`${Object.keys(route.parameters).map((name) => html`${term(name)} `)}`,
  ]);
  const open = [html`<a href="../api/status">${term('/api/status')}</a>`, html`${said.open}`, NOTHING];
  return table({
    label: said.addresses,
    head: [said.address, said.gives, titles.parameters],
    rows: [...rows, open],
  });
}

/** Below the base, as the OpenAPI document writes it. */
function pathOf({ path }: ApiRoute): string {
  return path.slice(BASE.length).replace(/:(\w+)/g, '{$1}');
}
