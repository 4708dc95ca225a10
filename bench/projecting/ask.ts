import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What a file of this folder prints, run as a process of its own: one value in JSON. */
export async function ask<T>(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<T> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${[file, ...args].join(' ')} ended with code ${code}`);
  return JSON.parse(said) as T;
}
