import { z } from 'zod';

import { checkResult } from '../../projections/monitor/document.ts';
import { state, SEVERITIES } from './machine-state.ts';
import { INDICATORS } from './overall.ts';
import { policy } from './policy.ts';

/**
 * The body of a status answer. Instants are RFC 3339 in UTC, without milliseconds where they are zero. Each `id` is the
 * name under which the description of the API shows the part.
 */

const instant = z.string().meta({ format: 'date-time' });
const count = z.int().nonnegative();
const texts = z.object({ ru: z.string(), en: z.string() }).meta({ id: 'BothLanguages' });

const uptimeWindow = z
  .object({
    /** Two decimals, a half rounded up. */
    pct: z.number().min(0).max(100).nullable(),
    /** Two decimals. */
    coverage: z.number().min(0).max(1),
  })
  .meta({ id: 'UptimeWindow' });
export type UptimeWindow = z.infer<typeof uptimeWindow>;
const uptime = z
  .object({ '24h': uptimeWindow, '7d': uptimeWindow, '30d': uptimeWindow, '90d': uptimeWindow })
  .meta({ id: 'Uptime' });

const milliseconds = z.number().nonnegative().nullable();
const percentiles = z
  .object({ p50: milliseconds, p95: milliseconds, p99: milliseconds })
  .meta({ id: 'Percentiles' });
export type Percentiles = z.infer<typeof percentiles>;
const latency = z.object({ '1h': percentiles, '24h': percentiles }).meta({ id: 'Latency' });

const vantagePoint = z
  .object({ id: z.string(), result: checkResult, checked_at: instant })
  .meta({ id: 'VantagePoint' });
export type VantagePoint = z.infer<typeof vantagePoint>;

const component = z
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

export const shownIncident = z
  .object({
    id: z.string(),
    state: z.enum(['open', 'resolved']),
    severity: z.enum(SEVERITIES),
    components: z.array(z.string()),
    cause: z.string().nullable(),
    started_at: instant,
    detected_at: instant,
    resolved_at: instant.nullable(),
    duration_s: count.nullable(),
  })
  .meta({ id: 'Incident' });
export type ShownIncident = z.infer<typeof shownIncident>;

export const status = z
  .object({
    state,
    indicator: z.enum(INDICATORS).nullable(),
    flapping: z.boolean(),
    stale: z.boolean(),
    since: instant.nullable(),
    checked_at: instant.nullable(),
    interval_s: z.int(),
    text: texts,
    uptime,
    latency_ms: latency,
    components: z.array(component),
    incidents: z.array(shownIncident),
    policy,
    generated: z.boolean().optional(),
  })
  .meta({ id: 'Status' });
export type Status = z.infer<typeof status>;

/** An instant as it is shown. */
export function shownInstant(unixMs: number): string {
  return new Date(unixMs).toISOString().replace('.000Z', 'Z');
}
