import { Counter, type Registry } from '../../platform/metrics.ts';

/** What the quota counts of itself, for Prometheus. */
export interface QuotaMetrics {
  readonly operations: Counter<'operation'>;
}

export function createQuotaMetrics(registry: Registry): QuotaMetrics {
  return {
    operations: new Counter({
      name: 'catalog_quota_store_operations_total',
      help: 'Calls of the store that count requests, each for any number of keys: read or write.',
      labelNames: ['operation'] as const,
      registers: [registry],
    }),
  };
}
