import { z } from 'zod';

import { content, score, scorePart } from '../../../projections/listings/document.ts';
import { withTextsOf } from '../../platform/schema-texts.ts';
import { instant, ofKind, recordFields, title } from './entries.ts';
import { metrics } from './metrics-body.ts';

/** What a listing shows as it is stored: all that lists do not show, and that is the same in every language. */
export const details = content.omit({
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
    z.object({ ...fields, ...ofKind.channel, metrics: metrics.channel }).meta({ id: 'ChannelListing' }),
    z.object({ ...fields, ...ofKind.bot, metrics: metrics.bot }).meta({ id: 'BotListing' }),
    z.object({ ...fields, ...ofKind.miniapp, metrics: metrics.miniapp }).meta({ id: 'MiniappListing' }),
  ])
  .meta({ id: 'Listing' });
export type Listing = z.infer<typeof listingBody>;
