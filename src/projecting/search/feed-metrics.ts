import { Counter, Gauge, type Registry } from '../../platform/metrics-registry.ts';

export type SearchFeedMetrics = ReturnType<typeof createSearchFeedMetrics>;

/** What search feeds count, for Prometheus. Labels are bounded: indexes, fixed words. */
export function createSearchFeedMetrics(registry: Registry) {
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge<'index'> =>
    new Gauge({ name, help, labelNames: ['index'] as const, registers });
  return {
    waiting: gauge('catalog_search_waiting', 'Documents that the index has still to be told of.'),
    refused: gauge('catalog_search_refused', 'Documents whose entry the search engine does not accept.'),
    sent: new Counter({
      name: 'catalog_search_sent_total',
      help: 'Entries that the search engine has acknowledged, by what was asked: put or remove.',
      labelNames: ['index', 'what'] as const,
      registers,
    }),
    failures: new Counter({
      name: 'catalog_search_failures_total',
      help: 'Failed attempts of the feed: retryable, permanent, or a fault of its own.',
      labelNames: ['index', 'kind'] as const,
      registers,
    }),
    differences: new Counter({
      name: 'catalog_search_differences_total',
      help: 'Entries that a sweep found missing, different or left over in the index.',
      labelNames: ['index'] as const,
      registers,
    }),
    lastSuccess: gauge(
      'catalog_search_last_success_timestamp_seconds',
      'When the feed last found or made the index up to date.',
    ),
  };
}
