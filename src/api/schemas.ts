import { z } from 'zod';

import {
  botMetrics,
  channelMetrics,
  content,
  kind,
  miniappMetrics,
  PARTS,
  REASONS,
  type Kind,
} from '../../projections/listings/document.ts';
import { MAX_LIMIT, MAX_TOTAL } from '../stores/search/port.ts';
import { LOCALES } from './messages/texts.ts';
import { MAX_PAGE } from './paging.ts';

export { status } from '../monitor/body.ts';

/**
 * The bodies of the API. The OpenAPI document is generated from these schemas, and the presenters are typed by them.
 * Descriptions are added from messages/openapi-{ru,en}.ts, by component and field.
 */

const instant = z.string().meta({ format: 'date-time' });
const day = z.string().meta({ format: 'date' });
const uri = z.string().meta({ format: 'uri' });
/** As upstream published it: letters of any script may stand in it as they are. */
const iri = z.string().meta({ format: 'iri' });
const count = z.int().nonnegative();
const points = z.number().min(0).max(100);

/** For named components: `.nullable()` of one would be taken into the component itself, for all who refer to it. */
function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}

const categoryName = z.object({ slug: z.string(), title: z.string() }).meta({ id: 'CategoryName' });

const recordFields = {
  slug: z.string(),
  title: z.string(),
  username: z.string(),
  summary: z.string().nullable(),
  language: z.string().nullable(),
  category: orNull(categoryName),
  verified: z.boolean(),
  flags: content.shape.flags,
  image_url: iri.nullable(),
  page_url: iri.nullable(),
  open_url: iri.nullable(),
  updated_at: instant,
};

const briefScore = z.object({ value: points, preliminary: z.boolean() }).meta({ id: 'BriefScore' });

const scorePart = z
  .object({
    key: z.enum(PARTS),
    title: z.string(),
    value: points,
    weight: z.number().min(0).max(1),
    points,
  })
  .meta({ id: 'ScorePart' });

const score = z
  .object({
    value: points,
    scale: z.literal(100),
    preliminary: z.boolean(),
    preliminary_reasons: z.array(z.enum(REASONS)),
    coverage: z.number().min(0).max(1),
    formula: z.string(),
    breakdown: z.array(scorePart),
  })
  .meta({ id: 'Score' });

/**
 * Of channels alone; null elsewhere. All kinds show one type, because openapi-fetch drops fields that can only be null from
 * what it answers with, which then is no entry any more to the compiler.
 */
const { subtype } = content.shape;

/** What differs from kind to kind, in a list and in a listing alike. */
const ofKind = {
  channel: {
    kind: z.literal('channel'),
    subtype,
    audience: z.object({ value: count, unit: z.literal('subscribers') }).nullable(),
  },
  bot: {
    kind: z.literal('bot'),
    subtype,
    audience: z.object({ value: count, unit: z.literal('monthly_users') }).nullable(),
  },
  miniapp: {
    kind: z.literal('miniapp'),
    subtype,
    audience: z.object({ value: count, unit: z.literal('monthly_users') }).nullable(),
  },
};

const change = z.object({ abs: z.int(), pct: z.number().nullable() }).meta({ id: 'Change' });

const shownMetrics = {
  measured_at: instant,
  growth: z.object({ d1: orNull(change), d7: orNull(change), d30: orNull(change) }).meta({ id: 'Growth' }),
  history: z.array(z.object({ day, value: count }).meta({ id: 'HistoryDay' })),
};

const listingFields = {
  ...recordFields,
  score,
  description: z.string().nullable(),
  tags: content.shape.tags,
  country: content.shape.country,
  links: z.array(z.object({ rel: z.string(), url: iri }).meta({ id: 'Link' })),
  published_at: instant,
};

export const listing = z
  .discriminatedUnion('kind', [
    z
      .object({
        ...listingFields,
        ...ofKind.channel,
        metrics: orNull(channelMetrics.extend(shownMetrics).meta({ id: 'ChannelMetrics' })),
      })
      .meta({ id: 'ChannelListing' }),
    z
      .object({
        ...listingFields,
        ...ofKind.bot,
        metrics: orNull(botMetrics.extend(shownMetrics).meta({ id: 'BotMetrics' })),
      })
      .meta({ id: 'BotListing' }),
    z
      .object({
        ...listingFields,
        ...ofKind.miniapp,
        metrics: orNull(miniappMetrics.extend(shownMetrics).meta({ id: 'MiniappMetrics' })),
      })
      .meta({ id: 'MiniappListing' }),
  ])
  .meta({ id: 'Listing' });
export type Listing = z.infer<typeof listing>;

const itemFields = { ...recordFields, score: briefScore };

const searchItem = z
  .discriminatedUnion('kind', [
    z.object({ ...itemFields, ...ofKind.channel }).meta({ id: 'ChannelRecord' }),
    z.object({ ...itemFields, ...ofKind.bot }).meta({ id: 'BotRecord' }),
    z.object({ ...itemFields, ...ofKind.miniapp }).meta({ id: 'MiniappRecord' }),
  ])
  .meta({ id: 'SearchItem' });

export const searchPage = z
  .object({
    query: z.string(),
    locale: z.enum(LOCALES),
    kind: kind.nullable(),
    category: z.string().nullable(),
    page: z.int().min(1).max(MAX_PAGE),
    limit: z.int().min(1).max(MAX_LIMIT),
    pages: z.int().min(0).max(MAX_PAGE),
    total: z.int().min(0).max(MAX_TOTAL),
    total_exact: z.boolean(),
    items: z.array(searchItem),
    links: z.object({ self: uri, prev: uri.nullable(), next: uri.nullable() }),
  })
  .meta({ id: 'SearchPage' });
export type SearchBody = z.infer<typeof searchPage>;

const rankedFields = { rank: z.int().min(1).max(100), ...itemFields };

const topItem = z
  .discriminatedUnion('kind', [
    z.object({ ...rankedFields, ...ofKind.channel }).meta({ id: 'ChannelItem' }),
    z.object({ ...rankedFields, ...ofKind.bot }).meta({ id: 'BotItem' }),
    z.object({ ...rankedFields, ...ofKind.miniapp }).meta({ id: 'MiniappItem' }),
  ])
  .meta({ id: 'TopItem' });

export const top = z
  .object({
    locale: z.enum(LOCALES),
    kind: kind.nullable(),
    category: z.string().nullable(),
    limit: z.int().min(1).max(100),
    total: count,
    as_of: instant.nullable(),
    items: z.array(topItem),
  })
  .meta({ id: 'Top' });
export type TopBody = z.infer<typeof top>;

const categoryNode = z
  .object({
    slug: z.string(),
    title: z.string(),
    count,
    total: count,
    get children() {
      return z.array(categoryNode);
    },
  })
  .meta({ id: 'CategoryNode' });

const categoryTree = z
  .object({ total: count, categories: z.array(categoryNode) })
  .meta({ id: 'CategoryTree' });

export const categories = z
  .object({
    locale: z.enum(LOCALES),
    total: count,
    trees: z.object({ channel: categoryTree, bot: categoryTree, miniapp: categoryTree } satisfies Record<
      Kind,
      unknown
    >),
  })
  .meta({ id: 'Categories' });

export type CategoriesBody = z.infer<typeof categories>;

export const ERROR_CODES = [
  'bad_request',
  'no_key',
  'bad_key',
  'not_found',
  'rate_limited',
  'internal',
] as const;

export const error = z
  .object({ error: z.object({ code: z.enum(ERROR_CODES), message: z.string(), docs: uri }) })
  .meta({ id: 'Error' });
