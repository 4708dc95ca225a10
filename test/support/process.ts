import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from './free-ports.ts';
import { withoutProgress } from './without-progress.ts';
import { words } from './words.ts';

const root = join(import.meta.dirname, '../..');

/** A data folder of its own, with ports of its own: where real processes of the command line run. */
export interface Installation extends AsyncDisposable {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** With what a command has of its own. */
  envOf(command: string): Readonly<Record<string, string>>;
  /** Runs a command to its end, as a process. */
  readonly catalog: RunCommand;
  /** Starts a long-running command. */
  start(args?: readonly string[], env?: Readonly<Record<string, string>>, release?: string): Running;
  /** Starts the service itself, and waits until it says that it runs. */
  started(env?: Readonly<Record<string, string>>, release?: string): Promise<Running>;
}

export type RunCommand = (args: readonly string[], options?: CommandOptions) => Promise<Finished>;

export interface CommandOptions {
  /** Its standard input. */
  readonly input?: string;
  /** Added to the installation's. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of the release whose command it is. Default this project. */
  readonly release?: string;
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** Resolves with everything printed so far once the text has appeared on standard output or standard error. */
  printed(text: string | RegExp): Promise<string>;
  /** Sends a signal and resolves with the exit code; null where the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** `as` gives what a command has of its own in its environment: the user that it is, say. */
export async function install(
  env: Readonly<Record<string, string>> = {},
  as: (command: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  const own = {
    // As src/main.mjs does, for whatever else is started in this environment.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/catalog'),
    ...inherited(),
    CATALOG_DATA: join(folder, 'data'),
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    ADMIN_PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
    ...env,
  };
  const running = new Set<Pick<Running, 'stop'>>();
  const envOf = (command = ''): Readonly<Record<string, string>> => ({ ...own, ...as(command) });
  const start: Installation['start'] = (args = ['start'], extra = {}, release = root) => {
    const environment = { ...envOf(args[0]), ...compiledOf(release), ...extra };
    const started = run([mainOf(release), ...args], environment, folder);
    running.add(started);
    return started;
  };
  return {
    folder,
    env: own,
    envOf,
    catalog: (args, { input, env: more, release = root } = {}) =>
      runToEnd([mainOf(release), ...args], { ...envOf(args[0]), ...compiledOf(release), ...more }, folder, {
        input,
        running,
      }),
    start,
    started: async (...given) => {
      const service = start(['start'], ...given);
      await service.printed('Ctrl-C stops.');
      return service;
    },
    [Symbol.asyncDispose]: async () => {
      // A command that a test has given up waiting for is among them.
      await Promise.all([...running].map((one) => one.stop('SIGKILL')));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One in which `npm start` runs, without the sample. */
export async function installRunning(env: Readonly<Record<string, string>> = {}): Promise<Installation> {
  await using opening = new AsyncDisposableStack();
  const installation = opening.use(await install({ CATALOG_SAMPLE: 'off', ...env }));
  await installation.started();
  opening.move();
  return installation;
}

/** The way to its tools, and the moment and the zone at which the whole run takes place (docs/guides/long-tests.md). */
const INHERITED = words(
  'PATH TZ LD_PRELOAD FAKETIME FAKETIME_SHARED FAKETIME_DONT_FAKE_MONOTONIC NO_FAKE_STAT',
);

function inherited(): Record<string, string> {
  const given = INHERITED.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function mainOf(release: string): string {
  return join(release, 'src/main.mjs');
}

/** Where Node keeps what it has compiled of a release that is gone after the test: with it. */
function compiledOf(release: string): Readonly<Record<string, string>> {
  return release === root ? {} : { NODE_COMPILE_CACHE: join(release, '.compiled') };
}

function runToEnd(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  given: { readonly input: string | undefined; readonly running: Set<Pick<Running, 'stop'>> },
): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { env, cwd, maxBuffer: 1 << 28 };
    const child = execFile(process.execPath, [...args], options, (error, stdout, stderr) => {
      given.running.delete(stoppable);
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      resolve({ code, stdout, stderr: withoutProgress(stderr) });
    });
    child.stdin?.end(given.input);
    const stoppable = stoppableOf(child);
    given.running.add(stoppable);
  });
}

function run(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Running {
  const child = spawn(process.execPath, [...args], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const { stop, ended } = stoppableOf(child);
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  return {
    child,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (typeof text === 'string' ? !output.includes(text) : !text.test(output)) return;
          listeners.delete(look);
          resolve(output);
        };
        listeners.add(look);
        look();
        void ended.then((code) =>
          reject(new Error(`ended with ${code} before it printed ${text}:\n${output}`)),
        );
      }),
    stop,
  };
}

function stoppableOf(
  child: ChildProcess,
): Pick<Running, 'stop'> & { readonly ended: Promise<number | null> } {
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return {
    ended,
    stop: (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}
