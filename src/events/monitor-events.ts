import type { z } from 'zod';

import { withTexts } from '../platform/schema-field-texts.ts';
import { unixMs } from '../platform/time/instant.ts';
import type { CatalogEvent, EventType } from './event.ts';
import {
  bilingual,
  count,
  defaulting,
  flag,
  instant,
  monitorId,
  object,
  oneOf,
  optional,
  rate,
  revision,
} from './fields.ts';

/** The availability monitor: what is watched, and what each probe of it found. */

export const TARGETS = 'monitor.targets';
export const PROBES = 'monitor.probes';

export const targetDefinedData = object({
  revision,
  name: withTexts(bilingual(200), { example: { ru: 'Bot API', en: 'Bot API' } }),
  critical: withTexts(flag, { publishers: 'Whether the platform is down without it.', example: true }),
  slow_ms: withTexts(defaulting(count, 2000), {
    publishers: 'Shown to readers; whether a probe was slow is the word of the prober.',
    example: 2000,
  }),
});

const targetRemovedData = object({ revision });

export const ROUND_MS = 60_000;
const ROUND_TOLERANCE_MS = 10 * 60_000;

export const probeCompletedData = object({
  vantage_point: withTexts(monitorId, { publishers: 'Where it was probed from.', example: 'eu-1' }),
  round: withTexts(count, {
    publishers:
      'The Unix time of its start in whole minutes; no more than 2 minutes after the arrival in the log.',
    example: 29919480,
  }),
  checked_at: withTexts(instant, {
    publishers: 'Within 10 minutes of its round, and no more than 2 minutes after the arrival in the log.',
    example: '2026-11-20T10:00:07.250Z',
  }),
  result: withTexts(oneOf(['ok', 'slow', 'fail']), { example: 'slow' }),
  latency_ms: withTexts(optional(rate), { publishers: 'Absent where the result is fail.', example: 2310.4 }),
  cause: withTexts(optional(oneOf(['timeout', 'dns', 'tls', 'refused', 'status', 'body', 'other'])), {
    example: null,
  }),
  attempts: withTexts(count, { publishers: 'How often it was tried in this round.', example: 2 }),
})
  .refine(({ round, checked_at }) => isNearRound(unixMs(checked_at), round), {
    path: ['checked_at'],
    error: 'an instant within 10 minutes of its round, which is its Unix time in whole minutes',
  })
  .refine(({ result, latency_ms }) => result !== 'fail' || latency_ms === null, {
    path: ['latency_ms'],
    error: 'nothing, where the result is fail',
  });
export type ProbeCompletedData = z.infer<typeof probeCompletedData>;

function isNearRound(checkedAt: number, round: number): boolean {
  const start = round * ROUND_MS;
  return checkedAt >= start - ROUND_TOLERANCE_MS && checkedAt <= start + ROUND_MS + ROUND_TOLERANCE_MS;
}

export type TargetDefined = CatalogEvent<'monitor.target.defined', z.infer<typeof targetDefinedData>>;
export type TargetRemoved = CatalogEvent<'monitor.target.removed', z.infer<typeof targetRemovedData>>;
export type ProbeCompleted = CatalogEvent<'monitor.probe.completed', ProbeCompletedData>;
export type MonitorEvent = TargetDefined | TargetRemoved | ProbeCompleted;

const onTargets = { topic: TARGETS, subject: monitorId, upcasters: [], observedAt: null };

export const MONITOR_TYPES: readonly EventType[] = [
  { ...onTargets, name: 'monitor.target.defined', versions: [targetDefinedData] },
  { ...onTargets, name: 'monitor.target.removed', versions: [targetRemovedData] },
  {
    name: 'monitor.probe.completed',
    topic: PROBES,
    subject: monitorId,
    versions: [probeCompletedData],
    upcasters: [],
    observedAt: 'checked_at',
    moments: ({ checked_at, round }: ProbeCompletedData) => ({
      checked_at: unixMs(checked_at),
      round: round * ROUND_MS,
    }),
  },
];
