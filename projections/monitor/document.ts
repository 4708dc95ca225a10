import { z } from 'zod';

import { outputFields } from '../../src/events/fields.ts';
import {
  probeCompletedData,
  targetDefinedData,
  type ProbeCompletedData,
} from '../../src/events/monitor-events.ts';
import type { RegisterValue } from '../../src/projecting/engine/register.ts';

/**
 * What the monitor's documents hold: one for the definition of each target, and one for each target and hour of probes.
 * The state is not stored: readers compute it from the hours (`src/monitor/status.ts`).
 */

export const checkResult = probeCompletedData.shape.result;

const count = z.int().nonnegative();

const { revision: _revision, ...defined } = outputFields(targetDefinedData.shape);
export const definition = z.object(defined);
export type Definition = z.infer<typeof definition>;

/** One probe as it was received, without what its register is found by. */
export type Probe = Omit<ProbeCompletedData, 'vantage_point' | 'round'>;

export interface MonitorRegisters {
  /** By revision; null inside is the tombstone of a removed target. */
  readonly definition: RegisterValue<Definition> | null;
  /** The newest removal, by revision: what was seen until then is not of the target that is defined again. */
  readonly removed: RegisterValue<never> | null;
  /** By round and vantage point. Of two at one place, one that was checked after the round wins, else the greater digest. */
  readonly probes: Readonly<Record<string, Readonly<Record<string, RegisterValue<Probe> | null>>>>;
}

/** One probe, as small as the state's computation allows: an hour of them is read at once. */
export const check = z.object({
  point: z.string(),
  result: checkResult,
  /** When it was checked: Unix time in milliseconds. */
  at: z.int(),
  cause: z.string().nullable(),
  /** The bucket of its latency (histogram.ts); null where it failed or nothing was measured. */
  latency: z.int().nullable(),
});
export type Check = z.infer<typeof check>;

const storedRound = z.object({
  /** The Unix time of the round's start in whole minutes. */
  round: count,
  /** One for each vantage point that reported, ordered by its name. */
  checks: z.array(check),
});
export type StoredRound = z.infer<typeof storedRound>;

const targetView = z.discriminatedUnion('defined', [
  definition.extend({
    kind: z.literal('target'),
    target: z.string(),
    defined: z.literal(true),
    /** The first round that counts: that after the newest removal; 0 where there was none. */
    since: count,
  }),
  z.object({ kind: z.literal('target'), target: z.string(), defined: z.literal(false) }),
]);
/** `defined: false` is a removed target: its definition is erased, its probes wait for the sweep. */
export type TargetView = z.infer<typeof targetView>;
export type DefinedTarget = Extract<TargetView, { defined: true }>;

export const hourView = z.object({
  kind: z.literal('hour'),
  target: z.string(),
  /** The Unix time of the hour's start in whole hours. */
  hour: count,
  /** The rounds that somebody reported in, ascending. */
  rounds: z.array(storedRound),
});
export type HourView = z.infer<typeof hourView>;

export const monitorView = z.union([targetView, hourView]);
export type MonitorView = z.infer<typeof monitorView>;
