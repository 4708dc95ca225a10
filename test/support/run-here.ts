import { vi } from 'vitest';

import { run } from '../../src/cli/program.ts';
import type { Finished } from './process.ts';

/** Runs a command line in this process, which takes arguments that no shell could give, and none of a start's time. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Finished> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk, ...rest: readonly unknown[]) => {
      written[name] += String(chunk);
      const done = rest.at(-1);
      if (typeof done === 'function') done();
      return true;
    }),
  );
  const listening = process.stdout.listeners('error');
  for (const [name, value] of Object.entries({ LOG_LEVEL: 'silent', ...env })) vi.stubEnv(name, value);
  try {
    const code = await run(['node', 'catalog', ...args]);
    return { code, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
    for (const added of process.stdout.listeners('error').filter((one) => !listening.includes(one))) {
      process.stdout.off('error', added as () => void);
    }
  }
}
