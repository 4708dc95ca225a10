import { z } from 'zod';

import { checkResult } from '../../projections/monitor/document.ts';
import { state } from './machine-state.ts';

/** What a status says of one component; uptime and latency as of the whole platform, too. */

export const instant = z.string().meta({ format: 'date-time' });
export const count = z.int().nonnegative();
export const texts = z.object({ ru: z.string(), en: z.string() }).meta({ id: 'BothLanguages' });

const uptimeWindow = z
  .object({
    /** Two decimals, a half rounded up. */
    pct: z.number().min(0).max(100).nullable(),
    /** Two decimals. */
    coverage: z.number().min(0).max(1),
  })
  .meta({ id: 'UptimeWindow' });
export type UptimeWindow = z.infer<typeof uptimeWindow>;
export const uptime = z
  .object({ '24h': uptimeWindow, '7d': uptimeWindow, '30d': uptimeWindow, '90d': uptimeWindow })
  .meta({ id: 'Uptime' });

const milliseconds = z.number().nonnegative().nullable();
const percentiles = z
  .object({
    p50: milliseconds,
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
    critical: z.boolean(),
    slow_ms: count,
    state,
    since: instant.nullable(),
    checked_at: instant.nullable(),
    latency_ms: latency,
    uptime,
    vantage_points: z.array(vantagePoint),
  })
  .meta({ id: 'MonitorComponent' });
export type Component = z.infer<typeof component>;
