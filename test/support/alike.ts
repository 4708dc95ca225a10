import { expect } from 'vitest';

import type { Status } from '../../src/monitor/body.ts';
import type { naiveStatus } from './naive-monitor.ts';

type Naive = ReturnType<typeof naiveStatus>;

/** Equal but for texts and staleness, which nobody computes twice, and latencies, which may be 2.5 % off. */
export function expectAlike(served: Status, naive: Naive): void {
  const body = comparable(served);
  expect(withoutLatency(body)).toEqual(withoutLatency(naive));
  for (const [index, { latency_ms }] of naive.components.entries()) {
    expectNear(body.components[index]?.latency_ms, latency_ms);
  }
  expectNear(body.latency_ms, naive.latency_ms);
}

/** What the independent computation has too. */
export function comparable(body: Status): Naive {
  const { text: _text, stale: _stale, policy: _policy, ...others } = body;
  return others;
}

function expectNear(shown: Status['latency_ms'] | undefined, exact: Status['latency_ms']): void {
  for (const window of ['1h', '24h'] as const) {
    for (const percentile of ['p50', 'p95', 'p99'] as const) {
      const [ours, theirs] = [shown?.[window][percentile] ?? null, exact[window][percentile]];
      expect(ours === null).toBe(theirs === null);
      expect(Math.abs((ours ?? 0) - (theirs ?? 0))).toBeLessThanOrEqual(0.025 * (theirs ?? 0));
    }
  }
}

function withoutLatency(body: Naive) {
  return {
    ...body,
    latency_ms: null,
    components: body.components.map((component) => ({ ...component, latency_ms: null })),
  };
}
