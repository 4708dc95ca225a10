import { z } from 'zod';

import { withTexts } from '../../platform/schema-field-texts.ts';
import { MAX_LIMIT, MAX_TOTAL } from '../../stores/search/port.ts';
import { requestFields, itemFields, ofKind } from './entry-fields.ts';
import { matches } from './matches.ts';

/** The last page that can be asked for. */
export const MAX_PAGE = 50;

/** Beside what every list shows. */
const foundFields = { ...itemFields, matches };

const item = z
  .discriminatedUnion('kind', [
    z.object({ ...foundFields, ...ofKind.channel }).meta({ id: 'ChannelRecord' }),
    z.object({ ...foundFields, ...ofKind.bot }).meta({ id: 'BotRecord' }),
    z.object({ ...foundFields, ...ofKind.miniapp }).meta({ id: 'MiniappRecord' }),
  ])
  .meta({ id: 'SearchItem' });

const uri = z.string().meta({ format: 'uri' });

export const body = z
  .object({
    query: withTexts(z.string(), { en: 'What was searched for.', ru: 'Что искали.' }),
    ...requestFields,
    page: withTexts(z.int().min(1).max(MAX_PAGE), {
      en: 'This page, from 1.',
      ru: 'Номер этой страницы, с 1.',
    }),
    limit: withTexts(z.int().min(1).max(MAX_LIMIT), { en: 'Entries on a page.', ru: 'Записей на странице.' }),
    pages: withTexts(z.int().min(0).max(MAX_PAGE), {
      en: 'How many pages can be reached, at most 50.',
      ru: 'Сколько страниц доступно, не больше 50.',
    }),
    total: withTexts(z.int().min(0).max(MAX_TOTAL), {
      en: 'How many entries match, counted up to 2,500.',
      ru: 'Сколько записей подходит; счёт идёт до 2500.',
    }),
    total_exact: withTexts(z.boolean(), {
      en: 'False where more than 2,500 match.',
      ru: 'false, если подходит больше 2500.',
    }),
    items: z.array(item),
    links: withTexts(
      z.object({
        self: withTexts(uri, { en: 'This page.', ru: 'Эта страница.' }),
        prev: withTexts(uri.nullable(), {
          en: 'The page before; past the end the last one. null on the first.',
          ru: 'Предыдущая страница, а за концом списка — последняя. На первой null.',
        }),
        next: withTexts(uri.nullable(), {
          en: 'The page after; null on the last.',
          ru: 'Следующая страница; на последней null.',
        }),
      }),
      { en: 'Addresses of pages.', ru: 'Адреса страниц.' },
    ),
  })
  .meta({ id: 'SearchPage' });
export type SearchBody = z.infer<typeof body>;
