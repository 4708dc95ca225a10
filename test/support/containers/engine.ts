import { execFile, spawnSync, type ExecFileException } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Finished } from '../process.ts';

/** The container engine of this machine, by its command line: Docker's, which Podman has too. */

export const root = join(import.meta.dirname, '../../..');

export type Command = (...args: readonly string[]) => Promise<Finished>;

export interface Engine {
  readonly name: 'docker' | 'podman';
  readonly version: string;
  readonly run: Command;
  /** As `run`. @throws {Error} with what it said, where it fails. */
  readonly ok: (...args: readonly string[]) => Promise<string>;
  /** Builds an image of a folder: the project's by default. @throws {Error} with the end of what was said. */
  build(tag: string, folder?: string): Promise<void>;
}

/** What stands in the place of a test that could not be run. Where `CI` is set it is a failure. */
export function notRun(what: string, why: string): void {
  process.stdout.write(`   ${what}  NOT RUN  (${why})\n`);
  if (process.env['CI'] !== undefined) process.exitCode = 1;
}

/** The first engine that answers, or the one that TEST_ENGINE names; else the reason why there is none. */
export function findEngine(): Engine | string {
  const { TEST_ENGINE: asked } = process.env;
  const names = (['docker', 'podman'] as const).filter((name) => (asked ?? name) === name);
  for (const name of names) {
    const { status } = spawnSync(name, ['info'], { stdio: 'ignore' });
    if (status === 0) return engineOf(name);
  }
  return `no container engine answers: ${names.join(', ')}`;
}

/** Why the image cannot be built and run here, in the engine's own words; null where it can. */
export async function lacksBase(engine: Engine): Promise<string | null> {
  for (const image of baseImages()) {
    const { code } = await engine.run('image', 'inspect', image);
    if (code === 0) continue;
    const pulled = await engine.run('pull', '--quiet', image);
    if (pulled.code !== 0) return `the image ${image} cannot be had`;
  }
  const [image = ''] = baseImages();
  const { code, stderr } = await engine.run('run', '--rm', image, 'node', '--version');
  return code === 0 ? null : `no container starts: ${stderr.trim().split('\n').at(-1)}`;
}

export function baseImages(): readonly string[] {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  return [...new Set([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => String(image)))];
}

/** Runs a command to its end, whatever that is. */
export async function command(
  program: string,
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
): Promise<Finished> {
  const running = promisify(execFile)(program, args, {
    cwd: root,
    maxBuffer: 1 << 28,
    ...(options.env ? { env: options.env } : {}),
  });
  running.child.stdin?.end(options.input ?? '');
  return await running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout = '', stderr = '', message }: ExecFileException) => ({
      code: typeof code === 'number' ? code : -1,
      stdout: stdout.toString(),
      stderr: `${stderr.toString()}${typeof code === 'number' ? '' : message}`,
    }),
  );
}

function engineOf(name: Engine['name']): Engine {
  const run: Command = (...args) => command(name, args);
  const ok = async (...args: readonly string[]): Promise<string> => succeeded(args, await run(...args));
  return {
    name,
    version: spawnSync(name, ['--version']).stdout.toString().trim(),
    run,
    ok,
    build: async (tag, folder = root) => {
      // Podman builds where no container may be started, too.
      const isolation = name === 'podman' ? ['--isolation=chroot', '--network=host'] : [];
      await ok('build', ...isolation, '--tag', tag, folder);
    },
  };
}

export function succeeded(args: readonly string[], { code, stdout, stderr }: Finished): string {
  if (code === 0) return stdout.trim();
  throw new Error(`${args.slice(0, 3).join(' ')}: ${code}\n${`${stdout}\n${stderr}`.slice(-3000)}`);
}
