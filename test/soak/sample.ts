import { readdirSync, readFileSync } from 'node:fs';

/** What a process takes at one moment; memory in bytes, the delay of its event loop in milliseconds. */
export interface Sample {
  readonly rss: number;
  readonly descriptors: number;
  /** The 99th percentile since the sample before. */
  readonly delayMs: number;
  readonly heap: number;
  /** Outside the heap: buffers above all. */
  readonly external: number;
}

export async function takeSample(pid: number, adminUrl: string): Promise<Sample> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const response = await fetch(`${adminUrl}/metrics`);
  const metrics = await response.text();
  return {
    rss: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    delayMs: metric(metrics, 'nodejs_eventloop_lag_p99_seconds') * 1000,
    heap: metric(metrics, 'nodejs_heap_size_used_bytes'),
    external: metric(metrics, 'nodejs_external_memory_bytes'),
  };
}

function metric(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}
