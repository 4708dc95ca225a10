import type { Assignment, Batch, FetchLimits, Log, SubscriptionHandlers } from '../../src/events/log/port.ts';
import { overriding } from './overriding.ts';

/** A log whose assignments fetch in another way. */
export function withFetch(
  log: Log,
  fetch: (assignment: Assignment, from: number, limits: FetchLimits) => Promise<Batch>,
): Log {
  return withHandlers(log, (handlers) => ({
    ...handlers,
    assigned: (assignment) =>
      handlers.assigned(overriding(assignment, { fetch: (from, limits) => fetch(assignment, from, limits) })),
  }));
}

/** A log that tells its news to other handlers. */
export function withHandlers(
  log: Log,
  change: (handlers: SubscriptionHandlers) => SubscriptionHandlers,
): Log {
  return overriding(log, {
    subscribe: (group, topics, handlers) => log.subscribe(group, topics, change(handlers)),
  });
}
