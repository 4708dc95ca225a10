import { z } from 'zod';

import {
  content,
  score,
  scorePart,
  botMetrics,
  change,
  channelMetrics,
  historyDay,
  miniappMetrics,
} from '../../../projections/listings/document.ts';
import { withTextsOf } from '../../platform/schema-field-texts.ts';
import { instant, ofKind, recordFields, title, orNull } from './entry-fields.ts';

const { measured_at } = channelMetrics.shape;
const shownChange = orNull(change.meta({ id: 'Change' }));
const shownGrowth = z.object({ d1: shownChange, d7: shownChange, d30: shownChange }).meta({ id: 'Growth' });
const shownDay = historyDay.extend({ day: z.string().meta({ format: 'date' }) });

const shownMetrics = {
  measured_at: withTextsOf(measured_at, instant),
  growth: shownGrowth,
  history: z.array(shownDay.meta({ id: 'HistoryDay' })),
};

/** Its form is not promised to readers. */
const launchUrl = { launch_url: z.string().nullable() };

const metrics = {
  channel: orNull(channelMetrics.extend(shownMetrics).meta({ id: 'ChannelMetrics' })),
  bot: orNull(botMetrics.extend(shownMetrics).meta({ id: 'BotMetrics' })),
  miniapp: orNull(miniappMetrics.extend({ ...launchUrl, ...shownMetrics }).meta({ id: 'MiniappMetrics' })),
};

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
    breakdown: z.array(z.object({ key, title, ...numbers }).meta({ id: 'ScorePart' })),
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

export const listingSchema = z
  .discriminatedUnion('kind', [
    z.object({ ...fields, ...ofKind.channel, metrics: metrics.channel }).meta({ id: 'ChannelListing' }),
    z.object({ ...fields, ...ofKind.bot, metrics: metrics.bot }).meta({ id: 'BotListing' }),
    z.object({ ...fields, ...ofKind.miniapp, metrics: metrics.miniapp }).meta({ id: 'MiniappListing' }),
  ])
  .meta({ id: 'Listing' });
export type Listing = z.infer<typeof listingSchema>;
