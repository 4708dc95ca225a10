import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse, stringify } from 'yaml';

import { temporaryFolder } from '../folder.ts';
import type { Finished } from '../process.ts';
import { command, root, succeeded, type Engine } from './engine.ts';

/** docker-compose.yml as one installation of its own: other names, other secrets, other ports than any that runs here. */
export interface Composed {
  readonly engine: Engine;
  readonly folder: string;
  /** `docker compose` with these arguments, to its end. */
  compose(args: readonly string[], options?: ComposeOptions): Promise<Finished>;
  /** As `compose`. @throws {Error} with what it said, where it fails. */
  ok(args: readonly string[], options?: ComposeOptions): Promise<string>;
  /** Takes everything of it away. */
  remove(): Promise<void>;
  /** The ids of a service's containers that run, or that have ended. */
  containersOf(service: string, state?: 'running' | 'ended'): Promise<readonly string[]>;
}

export interface ComposeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** The command of this machine for an engine; null where it has none. */
export function composeCommand({ name }: Engine): readonly [string, ...string[]] | null {
  const candidates = {
    docker: [['docker', 'compose']],
    podman: [['podman-compose']],
  } as const satisfies Record<Engine['name'], readonly (readonly [string, ...string[]])[]>;
  const works = candidates[name].find(
    ([program, ...args]) => spawnSync(program, [...args, 'version'], { stdio: 'ignore' }).status === 0,
  );
  return works ?? null;
}

export async function compose(
  engine: Engine,
  [program, ...before]: readonly [string, ...string[]],
  project: string,
  environment: Readonly<Record<string, string>>,
): Promise<Composed> {
  const folder = temporaryFolder();
  for (const name of ['deploy', 'docker-compose.yml'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  succeeded(['deploy/secrets'], await command(join(folder, 'deploy/secrets'), []));
  const isPodman = program === 'podman-compose';
  adapt(join(folder, 'docker-compose.yml'), { hasConfigs: !isPodman });
  const run = (args: readonly string[], { env = {}, ...options }: ComposeOptions = {}): Promise<Finished> =>
    command(
      program,
      [
        ...before,
        '--project-name',
        project,
        '--file',
        join(folder, 'docker-compose.yml'),
        // Docker's knows that who runs a service by its name means it.
        ...(isPodman && args[0] === 'run' ? ['--profile', 'tools'] : []),
        ...args,
      ],
      { env: { ...process.env, ...environment, ...env }, ...options },
    );
  return {
    engine,
    folder,
    compose: run,
    ok: async (args, options) => succeeded([program, ...args], await run(args, options)),
    remove: async () => {
      // podman-compose knows the first container of each service alone, and a network in use stays.
      const all = await engine.ok(
        'ps',
        '--quiet',
        '--all',
        `--filter=label=com.docker.compose.project=${project}`,
      );
      const containers = all.split('\n').filter((id) => id !== '');
      if (containers.length > 0) await engine.run('rm', '--force', ...containers);
      await run(['down', '--volumes']);
    },
    containersOf: async (service, state = 'running') => {
      const labels = { project, service };
      const filters = Object.entries(labels).map(
        ([name, value]) => `--filter=label=com.docker.compose.${name}=${value}`,
      );
      return (
        await engine.ok(
          'ps',
          '--quiet',
          ...filters,
          ...(state === 'ended' ? ['--all', '--filter=status=exited'] : []),
        )
      )
        .split('\n')
        .filter((id) => id !== '');
    },
  };
}

interface File {
  readonly configs?: Readonly<Record<string, { readonly file: string }>>;
  readonly services: Readonly<Record<string, Record<string, unknown>>>;
}

/** Takes `build` away, as the image is there, and `configs`, where they are not known: a mounted file is the same. */
function adapt(file: string, { hasConfigs }: { readonly hasConfigs: boolean }): void {
  const { configs = {}, ...rest } = parse(readFileSync(file, 'utf8'), { merge: true }) as File;
  for (const service of Object.values(rest.services)) {
    delete service['build'];
    if (hasConfigs) continue;
    const { configs: mounted = [], volumes = [] } = service as {
      readonly configs?: readonly { readonly source: string; readonly target: string }[];
      readonly volumes?: readonly string[];
    };
    delete service['configs'];
    // Nor does Podman 4 know how often to look while a service starts, what comes before a service but one, and which
    // limit of processes it set itself where another limit is given.
    const { healthcheck, ulimits } = service as {
      readonly healthcheck?: Record<string, unknown>;
      readonly ulimits?: Record<string, unknown>;
    };
    delete healthcheck?.['start_interval'];
    delete service['depends_on'];
    if (ulimits) ulimits['nproc'] = 4096;
    const files = mounted.map(({ source, target }) => `${configs[source]?.file}:${target}:ro`);
    if (files.length > 0) service['volumes'] = [...volumes, ...files.map((one) => `./${one}`)];
  }
  const adapted = hasConfigs ? { ...rest, configs } : rest;
  // podman-compose reads YAML 1.1, to which an `on` without quotes is true.
  writeFileSync(file, stringify(adapted, { version: '1.1', aliasDuplicateObjects: false }));
}
