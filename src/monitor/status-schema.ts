import { z } from 'zod';

import { component, instant, latency, texts, uptime, count } from './component-schema.ts';
import { state, SEVERITIES } from './machine-state.ts';
import { INDICATORS } from './overall.ts';
import { policy } from './policy.ts';

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

/**
 * The body of a status answer. Instants are RFC 3339 in UTC, without milliseconds where they are zero. Each `id` is the
 * name under which the description of the API shows the part.
 */

export const status = z
  .object({
    state: state,
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
    policy: policy,
    generated: z.literal(true).optional(),
  })
  .meta({ id: 'Status' });
export type Status = z.infer<typeof status>;

/** An instant as it is shown. */
export function shownInstant(unixMs: number): string {
  return new Date(unixMs).toISOString().replace('.000Z', 'Z');
}
