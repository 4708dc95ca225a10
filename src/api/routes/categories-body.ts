import { z } from 'zod';

import type { Kind } from '../../../projections/listings/document.ts';
import { withTexts } from '../../platform/schema-texts.ts';
import { LOCALES } from '../../texts/texts.ts';
import { count, slug, title } from './entries.ts';

const node = z
  .object({
    slug,
    title,
    count: withTexts(count, { en: 'Entries in the category itself.', ru: 'Записи в самой категории.' }),
    total: withTexts(count, {
      en: 'Entries in it and in everything below it.',
      ru: 'Записи в ней и во всём, что под ней.',
    }),
    get children() {
      return z.array(node);
    },
  })
  .meta({ id: 'CategoryNode' });

const tree = z
  .object({
    total: withTexts(count, {
      en: 'All entries of the kind, those without a category included.',
      ru: 'Все записи этого вида, включая записи без категории.',
    }),
    categories: z.array(node),
  })
  .meta({ id: 'CategoryTree' });

export const body = z
  .object({
    locale: z.enum(LOCALES),
    total: count,
    trees: z.object({ channel: tree, bot: tree, miniapp: tree } satisfies Record<Kind, unknown>),
  })
  .meta({ id: 'Categories' });
