import type { z } from 'zod';

import { unixMs } from '../platform/time/instant.ts';
import type { CatalogEvent, EventType } from './event.ts';
import {
  bilingual,
  count,
  defaulting,
  describedObject,
  flag,
  instant,
  monitorId,
  object,
  oneOf,
  optional,
  rate,
  revision,
} from './fields.ts';
import texts from './field-texts.json' with { type: 'json' };

/** The availability monitor: what is watched, and what each probe of it found. */

export const TARGETS = 'monitor.targets';
export const PROBES = 'monitor.probes';

export const targetDefinedData = describedObject(texts.targetDefined, {
  revision,
  name: bilingual(200),
  critical: flag,
  slow_ms: defaulting(count, 2000),
});

const targetRemovedData = object({ revision });

export const ROUND_MS = 60_000;
const ROUND_TOLERANCE_MS = 10 * 60_000;

export const probeCompletedData = describedObject(texts.probeCompleted, {
  vantage_point: monitorId,
  round: count,
  checked_at: instant,
  result: oneOf(['ok', 'slow', 'fail']),
  latency_ms: optional(rate),
  cause: optional(oneOf(['timeout', 'dns', 'tls', 'refused', 'status', 'body', 'other'])),
  attempts: count,
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
  {
    ...onTargets,
    name: 'monitor.target.defined',
    versions: [targetDefinedData],
  },
  {
    ...onTargets,
    name: 'monitor.target.removed',
    versions: [targetRemovedData],
  },
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
