import type { Parts } from '../compose/parts.ts';

/**
 * What a long-running command says of itself in the log: that it has started, is ready, is told to stop, has stopped,
 * and what broke it where it breaks. Made before everything that takes time to close, so that it is disposed last.
 */
export interface Life extends Disposable {
  /** Once it does what it is there for; with where that can be reached. */
  ready(addresses: { readonly url?: string; readonly admin: string }): void;
}

export function tellLife(
  { config, clock, logger }: Pick<Parts, 'config' | 'clock' | 'logger'>,
  stop: AbortSignal,
): Life {
  const startedAt = clock.monotonic();
  let stoppingAt: number | null = null;
  const { logUrl, documentsUrl, searchUrl } = config;
  logger.info(
    {
      node: process.version,
      log: logUrl.scheme,
      documents: documentsUrl.scheme,
      search: searchUrl.scheme,
    },
    'started',
  );
  const stopping = (): void => {
    stoppingAt = clock.monotonic();
    logger.info({ signal: String(stop.reason) }, 'stopping');
  };
  const broken = (thrown: Error): void => logger.fatal({ err: thrown }, 'a fault of ours ends the process');
  stop.addEventListener('abort', stopping, { once: true });
  process.on('uncaughtExceptionMonitor', broken);
  return {
    ready: (addresses) =>
      logger.info({ ...addresses, tookMs: Math.round(clock.monotonic() - startedAt) }, 'ready'),
    [Symbol.dispose]: () => {
      stop.removeEventListener('abort', stopping);
      process.off('uncaughtExceptionMonitor', broken);
      const drainMs = stoppingAt === null ? null : Math.round(clock.monotonic() - stoppingAt);
      logger.info({ drainMs }, 'stopped');
    },
  };
}
