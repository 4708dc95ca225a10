import { KEYS_PER_ACCOUNT } from '../../../../access/keys/changes.ts';
import { pathBelowBase } from '../../../openapi/path.ts';
import { ROUTES } from '../../../routes.ts';
import { search } from '../../../routes/search.ts';
import { code, heading, paragraph, term, type Section, table, type Block, link } from '../blocks.ts';
import { EXPORT_KEY, generateTypes, typedRequest } from '../snippets.ts';
import { firstRequests } from '../first-requests.ts';
import type { Writing } from '../writing.ts';

/** From nothing to an answer. */
export function quickStart(writing: Writing): Section {
  const { texts, prose, locale, base, hasAccounts } = writing;
  const { quickStart: said } = texts;
  const example = JSON.stringify(search.example(locale), null, 2);
  return {
    id: 'quick-start',
    title: said.title,
    body: [
      heading('get-a-key', said.key),
      paragraph(prose(hasAccounts ? said.gettingFromAccount : said.gettingFromOperator)),
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

function addresses({ texts, locale, root }: Writing): Block {
  const { quickStart: said, table: titles } = texts;
  const rows = ROUTES.map((address) => [
    [link([term(pathBelowBase(address))], `${root}docs/${locale}/reference#${address.operation}`)],
    [address.texts[locale].summary],
    Object.keys(address.parameters).flatMap((name) => [term(name), ' ']),
  ]);
  const open = [[link([term('/api/status')], `${root}api/status`)], [said.open], []];
  return table({
    label: said.addresses,
    head: [said.address, said.gives, titles.parameters],
    rows: [...rows, open],
  });
}

/** How a key is sent, kept and replaced. */
export function authentication({ texts, prose, number }: Writing): Section {
  const { authentication: said } = texts;
  const keys = number(KEYS_PER_ACCOUNT);
  return {
    id: 'authentication',
    title: said.title,
    body: [...said.paragraphs, said.form].map((text) => paragraph(prose(text, { keys }))),
  };
}

/** Types from the description. */
export function client(writing: Writing): Section {
  const { texts, prose, publicUrl } = writing;
  const { client: said } = texts;
  return {
    id: 'client',
    title: said.title,
    body: [
      paragraph(prose(said.intro)),
      code({ ...generateTypes(publicUrl), caption: said.generate }),
      code({ ...typedRequest(writing), caption: said.use }),
      paragraph(prose(said.russian)),
    ],
  };
}
