import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { COMPOSE, environmentOf } from './compose.ts';
import { freePort } from './free-ports.ts';
import { temporaryFolder } from './folder.ts';

/** deploy/haproxy.cfg in a real HAProxy on loopback, before servers that the test names. */

/** What `haproxy -v` says; null where this machine has none. */
export const HAPROXY_VERSION: string | null =
  /HA-?Proxy version (\S+)/.exec(spawnSync('haproxy', ['-v']).stdout?.toString() ?? '')?.[1] ?? null;

interface Backend {
  readonly port: number;
  readonly adminPort: number;
}

export interface FrontOptions {
  /** Where each `serve` answers requests, and where it says that it is ready. */
  readonly servers: readonly Backend[];
  /** The same of each `accounts serve`; none if absent. */
  readonly accounts?: readonly Backend[];
  readonly publicUrl: string;
  /** Any free one if absent. */
  readonly port?: number;
  /** Proxies before it that it trusts, with spaces between them; if absent, those of docker-compose.yml. */
  readonly proxies?: string;
  /** Parts of the configuration that the test replaces: each must be there. */
  readonly replacing?: Readonly<Record<string, string>>;
}

export interface Front extends AsyncDisposable {
  readonly port: number;
  readonly healthPort: number;
}

/** The configuration with addresses of this machine in the place of Docker's. */
export function frontConfiguration(
  { servers, accounts = [], replacing = {} }: FrontOptions,
  port: number,
  healthPort: number,
): string {
  const behind: Readonly<Record<string, readonly Backend[]>> = { serve: servers, accounts };
  const substitutions: Readonly<Record<string, string>> = {
    'bind :8080': `bind 127.0.0.1:${port}`,
    'bind 127.0.0.1:8404': `bind 127.0.0.1:${healthPort}`,
    ...replacing,
  };
  let text = readFileSync(join(import.meta.dirname, '../../deploy/haproxy.cfg'), 'utf8');
  for (const [from, to] of Object.entries(substitutions)) {
    if (!text.includes(from)) throw new Error(`deploy/haproxy.cfg has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text.replaceAll(/^ *server-template (\w+)- .*$/gm, (_, name: string) =>
    (behind[name] ?? [])
      .map(
        ({ port: at, adminPort }, index) =>
          `  server ${name}-${index + 1} 127.0.0.1:${at} check port ${adminPort} inter 1s fastinter 100ms fall 2 rise 1`,
      )
      .join('\n'),
  );
}

/** Resolves once it takes connections. @throws {Error} with what it said, where it ends instead. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const [port, healthPort] = [options.port ?? (await freePort()), await freePort()];
  const file = join(temporaryFolder(), 'haproxy.cfg');
  writeFileSync(file, frontConfiguration(options, port, healthPort));
  const child = spawn('haproxy', ['-db', '-f', file], {
    env: {
      PATH: process.env['PATH'],
      ...environmentOf(COMPOSE.services['front'] ?? {}),
      CATALOG_PUBLIC_URL: options.publicUrl,
      ...(options.proxies === undefined ? {} : { CATALOG_FRONT_PROXIES: options.proxies }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await Promise.race([
    untilHealthy(healthPort),
    gone.then(() => {
      throw new Error(`haproxy ended: ${said}`);
    }),
  ]);
  return {
    port,
    healthPort,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function untilHealthy(port: number): Promise<void> {
  for (;;) {
    const isHealthy = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
