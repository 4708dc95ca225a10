import { createServer } from 'node:http';
import { aborted } from 'node:util';

import type { Check } from '../admin/probes-and-metrics.ts';
import { allowedHosts } from '../admin/host-check.ts';
import { createStartUp, type StartUp } from '../compose/retry-start-up.ts';
import type { Role } from '../operations/process-role.ts';
import { listenOn } from '../platform/http-server.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import { checkLanes } from './accept-gap-option.ts';
import { type ExitCode, withParts, type Work } from './command.ts';
import { note, printLine } from './output.ts';
import { logServiceLife } from './service-life-log.ts';

/** What a long-running command works with. */
export interface Service extends Work {
  readonly starting: StartUp;
  /** What is closed when the command ends, the last one first. */
  readonly stack: AsyncDisposableStack;
  /** Where `/livez`, `/readyz` and `/metrics` are. */
  readonly adminUrl: string;
  /** What `/readyz` asks, by name; to be filled as the parts come. */
  readonly checks: Record<string, Check>;
  /** What `/metrics` shows; of the process's own registry to begin with. */
  readonly metrics: { read: () => Promise<string> };
  /** Tells the log where the command can be reached; and that it is ready, once `/readyz` says so. */
  readonly ready: (url?: string) => void;
}

/**
 * Runs a command that goes on until it is told to stop. Its admin port answers from the first moment to the last: not
 * ready while it starts, with what it waits for, and not ready while it stops.
 * @throws {UsageError} where `acceptGaps` names no lane, before anything is done.
 */
export async function asService(
  name: Role | 'start',
  run: (service: Service) => Promise<ExitCode | void>,
  acceptGaps: readonly string[] = [],
): Promise<ExitCode | void> {
  return await withParts(name, 'create', async (work) => {
    const { parts, signal } = work;
    checkLanes(parts, acceptGaps);
    const role = name === 'start' ? 'project' : name;
    // Before everything that takes time to close, so that it is disposed last.
    using life = logServiceLife(parts, signal, role);
    const starting = createStartUp({ clock: parts.clock, logger: parts.logger, signal });
    const checks: Record<string, Check> = { process: () => starting.check() };
    const metrics = { read: () => parts.registry.metrics() };
    await using stack = new AsyncDisposableStack();
    const { createAdmin, judgeChecks } = await import('../admin/probes-and-metrics.ts');
    const { operatorPagesOf } = await import('../admin/operator/pages.ts');
    const { adminHost: host, adminPort: port, adminAllowedHosts: names } = parts.config;
    const admin = createAdmin({
      checks,
      metrics: () => metrics.read(),
      operatorPages: operatorPagesOf(parts, role, stack),
      logger: parts.logger,
      isAllowedHost: allowedHosts(host, names),
    });
    const listening = await listenOn(createServer(admin), { port, host, variable: 'ADMIN_PORT' });
    const { url: adminUrl } = stack.use(listening);
    const ready = (url?: string): void =>
      void life.ready({ ...(url === undefined ? {} : { url }), admin: adminUrl }, () => judgeChecks(checks));
    try {
      return await run({ ...work, starting, stack, adminUrl, checks, metrics, ready });
    } catch (thrown) {
      // Told to stop before it had started: it has done what it was told.
      if (!(thrown instanceof StoppedError) || !signal.aborted) throw thrown;
    }
  });
}

/** For a service that is all there: says so to everybody who waits for it, and goes on until it is told to stop. */
export async function runUntilStopped(
  { starting, signal, adminUrl, ready }: Service,
  { url, json, doing, last }: { url?: string; json: boolean | undefined; doing: string; last: string },
): Promise<void> {
  starting.started();
  ready(url);
  if (json) printLine({ ...(url === undefined ? {} : { url }), admin_url: adminUrl });
  note(`${doing}. Admin: ${adminUrl}. Ctrl-C stops.`);
  await aborted(signal, signal);
  note(`Stopping: ${last} first.`);
}
