import { z } from 'zod';

import {
  botMetrics,
  change,
  channelMetrics,
  historyDay,
  miniappMetrics,
} from '../../../projections/listings/document.ts';
import { withTexts, withTextsOf } from '../../platform/schema-texts.ts';
import { instant, orNull } from './entries.ts';

/** The metrics of a listing of each kind, as they are shown. */

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

export const metrics = {
  channel: metricsOf(channelMetrics.extend(shownMetrics), 'Channel'),
  bot: metricsOf(botMetrics.extend(shownMetrics), 'Bot'),
  miniapp: metricsOf(miniappMetrics.extend({ ...launchUrl, ...shownMetrics }), 'Miniapp'),
};

function metricsOf<Schema extends z.ZodObject>(schema: Schema, kind: string) {
  return withTexts(orNull(schema.meta({ id: `${kind}Metrics` })), {
    en: 'The newest measurement; null where there is none.',
    ru: 'Последнее измерение; null, если измерений нет.',
  });
}
