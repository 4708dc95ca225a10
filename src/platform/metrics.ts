import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import { measureEventLoop } from './event-loop-lag.ts';

export { Counter, Gauge, Histogram, Registry };

/**
 * A registry of its own for each process or thread, so that threads and tests never share counters. `prefix` stands
 * before the names of what Node tells of itself: a process that shows several threads must not show one name twice.
 */
export function createMetrics(prefix = ''): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix, eventLoopMonitoringPrecision: NEVER_MS });
  measureEventLoop(registry, prefix);
  return registry;
}

/** The longest that a timer knows: its own look at the event loop is not wanted. */
const NEVER_MS = 2 ** 31 - 1;
