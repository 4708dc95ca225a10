import { createStarting, type Starting } from '../compose/starting.ts';
import type { Check } from '../admin/app.ts';
import { Stopped } from '../projecting/engine/retry.ts';
import { withParts, type Work } from './command.ts';
import { tellLife, type Life } from './life.ts';

/** What a long-running command works with. */
export interface Service extends Work {
  readonly life: Life;
  readonly starting: Starting;
  /** What is closed when the command ends, the last one first. */
  readonly stack: AsyncDisposableStack;
  /** Where `/livez`, `/readyz` and `/metrics` are. */
  readonly adminUrl: string;
  /** What `/readyz` asks, by name; to be filled as the parts come. */
  readonly checks: Record<string, Check>;
  /** What `/metrics` shows; of the process's own registry to begin with. */
  readonly metrics: { read: () => Promise<string> };
}

/**
 * Runs a command that goes on until it is told to stop. Its admin port answers from the first moment to the last: not
 * ready while it starts, with what it waits for, and not ready while it stops. `check` looks at how it was called, before
 * anything is done.
 */
export async function asService(
  name: string,
  run: (service: Service) => Promise<void>,
  check: (parts: Work['parts']) => void = () => undefined,
): Promise<void> {
  await withParts(name, 'create', async (work) => {
    const { parts, signal } = work;
    check(parts);
    using life = tellLife(parts, signal);
    const starting = createStarting({ clock: parts.clock, logger: parts.logger, signal });
    const checks: Record<string, Check> = { process: () => starting.check() };
    const metrics = { read: () => parts.registry.metrics() };
    await using stack = new AsyncDisposableStack();
    const { serveAdmin } = await import('../compose/admin.ts');
    const admin = stack.use(await serveAdmin(parts, { checks, metrics: () => metrics.read() }));
    try {
      await run({ ...work, life, starting, stack, adminUrl: admin.url, checks, metrics });
    } catch (thrown) {
      // Told to stop before it had started: it has done what it was told.
      if (!(thrown instanceof Stopped) || !signal.aborted) throw thrown;
    }
  });
}
