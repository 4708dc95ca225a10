import { Readable } from 'node:stream';

import { vi } from 'vitest';

import { run } from '../../src/cli/run.ts';
import type { Finished, Installation, RunCommand } from './process.ts';
import { withoutProgress } from './without-progress.ts';

/**
 * Runs the commands of an installation in this process, one at a time: what they do and print is the same, without the
 * second that a process takes to start. Log lines are left out.
 */
export function commandsHere(installation: Installation): RunCommand {
  return (args, { input, env } = {}) =>
    runHere(args, { ...installation.envOf(args[0] ?? ''), LOG_LEVEL: 'silent', ...env }, input);
}

/** Runs a command line in this process, which takes arguments that no shell could give, and none of a start's time. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input?: string,
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
  const standardInput = vi.spyOn(process, 'stdin', 'get');
  if (input !== undefined)
    standardInput.mockReturnValue(Readable.from([Buffer.from(input)]) as typeof process.stdin);
  const listening = process.stdout.listeners('error');
  for (const [name, value] of Object.entries({ LOG_LEVEL: 'silent', ...env })) vi.stubEnv(name, value);
  try {
    const code = await run(['node', 'catalog', ...args]);
    return { code, stdout: written.stdout, stderr: withoutProgress(written.stderr) };
  } finally {
    for (const spy of [...spies, standardInput]) spy.mockRestore();
    vi.unstubAllEnvs();
    for (const added of process.stdout.listeners('error').filter((one) => !listening.includes(one))) {
      process.stdout.off('error', added as () => void);
    }
  }
}
