import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry };

/**
 * A registry of its own for each process or thread, so that threads and tests never share counters. `prefix` stands
 * before the names of what Node tells of itself: a process that shows several threads must not show one name twice.
 */
export function createMetrics(prefix = ''): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix, eventLoopMonitoringPrecision: LOOK_MS });
  return registry;
}

/** Between two looks at the event loop; its figures have them in. Each wakes a thread that may have nothing else to do. */
const LOOK_MS = 50;
