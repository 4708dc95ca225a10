import { z } from 'zod';

import {
  botMetrics,
  change,
  channelMetrics,
  content,
  historyDay,
  miniappMetrics,
  score,
  scorePart,
  type Score,
} from '../../../projections/listings/document.ts';
import { described, withTextsOf } from '../../platform/described.ts';
import { showInstant } from '../../platform/instant.ts';
import { locale } from '../http/parameters.ts';
import { renderJson } from '../http/rendering.ts';
import { inLanguage, textsIn, type Locale } from '../messages/texts.ts';
import { problem } from '../problems.ts';
import type { Taxonomy } from '../reading/category-tree.ts';
import type { PublishedListing } from '../reading/listings.ts';
import { apiRoute, BASE, KEYED, renderingKey } from '../route.ts';
import { instant, ofKind, orNull, presentRecord, recordFields, title } from './entries.ts';
import { ENTRY, TAXONOMY } from './example.ts';

/** One published entry, with everything that is known about it. */

/** What a listing shows as it is stored: all that lists do not show, and that is the same in every language. */
const details = content.omit({
  kind: true,
  subtype: true,
  username: true,
  title: true,
  summary: true,
  description: true,
  category: true,
  language: true,
  verified: true,
  flags: true,
  image_url: true,
  page_url: true,
  open_url: true,
  published_at: true,
});

const { value, ...otherNumbers } = score.shape;
const { key, ...numbers } = scorePart.shape;

const shownScore = z
  .object({
    value,
    scale: z.literal(100),
    ...otherNumbers,
    breakdown: withTextsOf(
      otherNumbers.breakdown,
      z.array(z.object({ key, title, ...numbers }).meta({ id: 'ScorePart' })),
    ),
  })
  .meta({ id: 'Score' });

const { measured_at, growth, history } = channelMetrics.shape;
const shownChange = orNull(change.meta({ id: 'Change' }));
const shownDay = historyDay.extend({ day: z.string().meta({ format: 'date' }) });

const shownMetrics = {
  measured_at: withTextsOf(measured_at, instant),
  growth: withTextsOf(growth, z.object({ d1: shownChange, d7: shownChange, d30: shownChange })).meta({
    id: 'Growth',
  }),
  history: withTextsOf(history, z.array(shownDay.meta({ id: 'HistoryDay' }))),
};

/** Its form is not promised to readers. */
const launchUrl = { launch_url: z.string().nullable() };

const fields = {
  ...recordFields,
  score: shownScore,
  description: z.string().nullable(),
  ...details.shape,
  links: withTextsOf(details.shape.links, z.array(details.shape.links.unwrap().meta({ id: 'Link' }))),
  published_at: withTextsOf(content.shape.published_at, instant),
};

export const listingBody = z
  .discriminatedUnion('kind', [
    z
      .object({
        ...fields,
        ...ofKind.channel,
        metrics: metricsOf(channelMetrics.extend(shownMetrics), 'Channel'),
      })
      .meta({ id: 'ChannelListing' }),
    z
      .object({ ...fields, ...ofKind.bot, metrics: metricsOf(botMetrics.extend(shownMetrics), 'Bot') })
      .meta({ id: 'BotListing' }),
    z
      .object({
        ...fields,
        ...ofKind.miniapp,
        metrics: metricsOf(miniappMetrics.extend({ ...launchUrl, ...shownMetrics }), 'Miniapp'),
      })
      .meta({ id: 'MiniappListing' }),
  ])
  .meta({ id: 'Listing' });
export type Listing = z.infer<typeof listingBody>;

function metricsOf<Schema extends z.ZodObject>(schema: Schema, kind: string) {
  return described(orNull(schema.meta({ id: `${kind}Metrics` })), {
    en: 'The newest measurement; null where there is none.',
    ru: 'Последнее измерение; null, если измерений нет.',
  });
}

export function presentListing(entry: PublishedListing, inLocale: Locale, taxonomy: Taxonomy): Listing {
  const { view } = entry;
  const { measured_at: measuredAt, ...measures } = view.metrics ?? { measured_at: null };
  return {
    ...presentRecord(entry, inLocale, taxonomy),
    description: view.description && inLanguage(view.description, inLocale),
    ...Object.fromEntries(details.keyof().options.map((name) => [name, view[name]])),
    metrics: measuredAt === null ? null : { measured_at: showInstant(measuredAt), ...measures },
    score: presentScore(view.score, inLocale),
    published_at: showInstant(view.published_at),
    // The stored view pairs each kind with its own metrics and unit, which the fields one by one do not show.
  } as Listing;
}

function presentScore({ value: points, breakdown, ...rest }: Score, inLocale: Locale): Listing['score'] {
  const titles = textsIn(inLocale).scoreParts;
  return {
    value: points,
    scale: 100,
    ...rest,
    breakdown: breakdown.map(({ key: part, ...given }) => ({ key: part, title: titles[part], ...given })),
  };
}

/** Slugs are lower case, and read in any. */
const SLUG = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,126}[A-Za-z0-9])?$/;

export const listing = apiRoute({
  ...KEYED,
  operation: 'getListing',
  path: `${BASE}/listings/:slug`,
  tag: 'catalog',
  texts: {
    en: {
      summary: 'One entry, with its metrics and its score',
      description: 'An unpublished entry is 404 a moment later, and is listed nowhere any more.',
    },
    ru: {
      summary: 'Одна запись с показателями и рейтингом',
      description: 'Снятая с публикации запись через мгновение отвечает 404 и пропадает из всех списков.',
    },
  },
  inPath: {
    slug: described(z.string().regex(SLUG).max(128), {
      en: 'The slug of the entry, in any case.',
      ru: 'Slug записи; регистр букв не важен.',
      example: ENTRY.id,
    }),
  },
  parameters: { locale },
  body: listingBody,
  example: exampleListing,
  canBeMissing: true,
  carries: 'updated',
  async answer({ reading, renderings }, { values, path: { slug: given = '' } }) {
    if (!SLUG.test(given)) return problem('unknown_listing');
    const slug = given.toLowerCase();
    const { collection } = await reading.live('listings');
    const [published, taxonomy] = await Promise.all([
      reading.published(collection, [slug]),
      reading.taxonomy(),
    ]);
    const entry = published.get(slug);
    if (!entry) return problem('unknown_listing');
    return renderings.of(
      renderingKey('getListing', values.locale, slug),
      [entry.version, taxonomy.digest],
      () => renderJson(presentListing(entry, values.locale, taxonomy), values.locale, entry.view.updated_at),
    );
  },
});

export function exampleListing(inLocale: Locale): Listing {
  return presentListing(ENTRY, inLocale, TAXONOMY);
}
