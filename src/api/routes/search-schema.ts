import { z } from 'zod';

import { MAX_LIMIT, MAX_TOTAL } from '../../stores/search/port.ts';
import { requestFields, itemFields, ofKind } from './entry-fields.ts';
import { matches } from './search-hit-matches.ts';

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
    query: z.string(),
    ...requestFields,
    page: z.int().min(1).max(MAX_PAGE),
    limit: z.int().min(1).max(MAX_LIMIT),
    pages: z.int().min(0).max(MAX_PAGE),
    total: z.int().min(0).max(MAX_TOTAL),
    total_exact: z.boolean(),
    items: z.array(item),
    links: z.object({ self: uri, prev: uri.nullable(), next: uri.nullable() }),
  })
  .meta({ id: 'SearchPage' });
export type SearchBody = z.infer<typeof body>;
