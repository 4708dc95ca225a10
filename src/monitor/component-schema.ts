import { z } from 'zod';

import { checkResult } from '../../projections/monitor/document.ts';
import { withTexts } from '../platform/schema-field-texts.ts';
import { state } from './machine-state.ts';

/** What a status says of one component; uptime and latency as of the whole platform, too. */

export const instant = z.string().meta({ format: 'date-time' });
export const count = z.int().nonnegative();
export const texts = z.object({ ru: z.string(), en: z.string() }).meta({ id: 'BothLanguages' });

const uptimeWindow = z
  .object({
    /** Two decimals, a half rounded up. */
    pct: withTexts(z.number().min(0).max(100).nullable(), {
      en: 'Per cent of the known time that was up or degraded; null where nothing is known.',
      ru: 'Доля известного времени в up или degraded, в процентах; null, если ничего не известно.',
    }),
    /** Two decimals. */
    coverage: withTexts(z.number().min(0).max(1), {
      en: 'The known part of the window, 0 to 1.',
      ru: 'Известная часть окна, от 0 до 1.',
    }),
  })
  .meta({ id: 'UptimeWindow' });
export type UptimeWindow = z.infer<typeof uptimeWindow>;
export const uptime = z
  .object({ '24h': uptimeWindow, '7d': uptimeWindow, '30d': uptimeWindow, '90d': uptimeWindow })
  .meta({ id: 'Uptime' });

const milliseconds = z.number().nonnegative().nullable();
const percentiles = z
  .object({
    p50: withTexts(milliseconds, {
      en: 'Milliseconds, at most 2.5 % off; null where nothing was measured.',
      ru: 'Миллисекунды, с погрешностью не больше 2,5 %; null, если измерений не было.',
    }),
    p95: milliseconds,
    p99: milliseconds,
  })
  .meta({ id: 'Percentiles' });
export type Percentiles = z.infer<typeof percentiles>;
export const latency = z.object({ '1h': percentiles, '24h': percentiles }).meta({ id: 'Latency' });

const vantagePoint = z
  .object({ id: z.string(), result: checkResult, checked_at: instant })
  .meta({ id: 'VantagePoint' });
export type VantagePoint = z.infer<typeof vantagePoint>;

export const component = z
  .object({
    id: z.string(),
    name: texts,
    critical: withTexts(z.boolean(), {
      en: 'Whether the platform is down without it.',
      ru: 'Считается ли платформа неработающей без неё.',
    }),
    slow_ms: withTexts(count, {
      en: 'From how many milliseconds on the prober calls an answer slow.',
      ru: 'С какой задержки в миллисекундах проверяющий называет ответ медленным.',
    }),
    state,
    since: instant.nullable(),
    checked_at: instant.nullable(),
    latency_ms: latency,
    uptime,
    vantage_points: withTexts(z.array(vantagePoint), {
      en: 'Where it was checked from in the last 24 hours, each with its newest result.',
      ru: 'Откуда её проверяли за последние 24 часа, с последним результатом каждой точки.',
    }),
  })
  .meta({ id: 'MonitorComponent' });
export type Component = z.infer<typeof component>;
