import type { NamedHealth } from '../admin/probes-and-metrics.ts';
import type { Parts } from '../compose/parts.ts';
import { STORES_OF, type Role } from '../operations/process-role.ts';

/** Between two looks whether the process is ready, in milliseconds. */
const LOOK_MS = 1000;

/**
 * What a long-running command says of itself in the log: that it has started, is ready, is told to stop, has stopped,
 * and what broke it where it breaks.
 */
export function logServiceLife({ config, clock, logger }: Parts, stop: AbortSignal, role: Role) {
  const startedAt = clock.monotonic();
  let stoppingAt: number | null = null;
  const ended = new AbortController();
  const over = AbortSignal.any([stop, ended.signal]);
  const urls = { log: config.logUrl, documents: config.documentsUrl, search: config.searchUrl };
  const schemes = Object.fromEntries(STORES_OF[role].map((store) => [store, urls[store].scheme]));
  logger.info({ node: process.version, ...schemes }, 'started');
  const stopping = (): void => {
    stoppingAt = clock.monotonic();
    logger.info({ signal: String(stop.reason) }, 'stopping');
  };
  const broken = (thrown: Error): void => logger.fatal({ err: thrown }, 'a fault of ours ends the process');
  stop.addEventListener('abort', stopping, { once: true });
  process.on('uncaughtExceptionMonitor', broken);
  return {
    /** Looks until `judge` finds every check well. */
    async ready(
      addresses: { readonly url?: string; readonly admin: string },
      judge: () => Promise<readonly NamedHealth[]>,
    ): Promise<void> {
      for (let isSaid = false; !over.aborted; await clock.sleep(LOOK_MS, over)) {
        const unwell = (await judge()).filter(({ ok }) => !ok);
        const tookMs = Math.round(clock.monotonic() - startedAt);
        if (over.aborted) return;
        if (unwell.length === 0) return logger.info({ ...addresses, tookMs }, 'ready');
        const reason = unwell.map(({ detail }) => detail).join('; ');
        if (!isSaid) logger.info({ ...addresses, reason }, 'not ready yet');
        isSaid = true;
      }
    },
    [Symbol.dispose]: () => {
      ended.abort();
      stop.removeEventListener('abort', stopping);
      process.off('uncaughtExceptionMonitor', broken);
      const drainMs = stoppingAt === null ? null : Math.round(clock.monotonic() - stoppingAt);
      logger.info({ drainMs }, 'stopped');
    },
  };
}
