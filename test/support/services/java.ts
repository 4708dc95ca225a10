import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What runs on Java: jars from Maven Central, kept between runs, and processes that die with this one. */

const run = promisify(execFile);

/** Whether this machine has these commands. */
export async function has(...commands: readonly string[]): Promise<boolean> {
  const asked = commands.map((command) => run('sh', ['-c', `command -v ${command}`]));
  return await Promise.all(asked).then(
    () => true,
    () => false,
  );
}

/**
 * A folder that `fill` fills once for each `name` and `inputs`, in the user's cache. Safe for processes that race: each
 * fills a folder of its own, and the first to finish gives it its name.
 */
export async function cached(
  name: string,
  inputs: readonly string[],
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const root = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'catalog-read-api');
  const digest = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 12);
  const folder = join(root, `${name}-${digest}`);
  if (existsSync(folder)) return folder;
  await mkdir(root, { recursive: true });
  const filling = await mkdtemp(join(root, 'filling-'));
  try {
    await fill(filling);
    await rename(filling, folder).catch((thrown: unknown) => {
      if (!existsSync(folder)) throw thrown;
    });
  } finally {
    await rm(filling, { recursive: true, force: true });
  }
  return folder;
}

export interface Artifact {
  readonly group: string;
  readonly name: string;
  readonly version: string;
}

/** Puts the jars of artifacts, and of what they need, into `folder/lib`; those of their sources into `folder/sources`. */
export async function fetchJars(
  folder: string,
  artifacts: readonly Artifact[],
  withSources: readonly string[] = [],
): Promise<void> {
  const dependencies = artifacts.map(
    ({ group, name, version }) =>
      `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`,
  );
  await writeFile(
    join(folder, 'pom.xml'),
    `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>catalog</groupId><artifactId>services</artifactId><version>1</version><dependencies>${dependencies.join('')}</dependencies></project>`,
  );
  const maven = ['-B', '-q', '-f', join(folder, 'pom.xml')];
  await run('mvn', [...maven, 'dependency:copy-dependencies', `-DoutputDirectory=${join(folder, 'lib')}`]);
  if (withSources.length === 0) return;
  await run('mvn', [
    ...maven,
    'dependency:unpack-dependencies',
    '-Dclassifier=sources',
    `-DincludeArtifactIds=${withSources.join(',')}`,
    `-DoutputDirectory=${join(folder, 'sources')}`,
  ]);
}

/** Compiles files against the jars of `folder/lib` into `folder/classes`. */
export async function compileJava(folder: string, files: readonly string[]): Promise<void> {
  await run('javac', ['-nowarn', '-cp', join(folder, 'lib', '*'), '-d', join(folder, 'classes'), ...files]);
}

export interface JavaProcess extends AsyncDisposable {
  /** What the ready line matched. */
  readonly ready: RegExpExecArray;
  readonly pid: number;
  /** Resolves when the process is gone, whoever ended it. */
  readonly gone: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** For what hangs: a busy machine is several times slower than a quiet one. */
const READY_MS = 180_000;

/** Starts a class and waits for its ready line on the standard output. @throws {Error} with what it said, if it ends. */
export async function startJava(args: readonly string[], ready: RegExp): Promise<JavaProcess> {
  const child = spawnBound(['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...args]);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const killChild = (): void => void child.kill('SIGKILL');
  process.once('exit', killChild);
  void gone.then(() => process.removeListener('exit', killChild));
  return {
    ready: await readyLine(child, ready),
    pid: child.pid ?? 0,
    gone,
    kill: (signal) => void child.kill(signal),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      const stubborn = setTimeout(killChild, 5000);
      await gone;
      clearTimeout(stubborn);
    },
  };
}

/** On Linux the kernel ends the child even where this process is killed. */
function spawnBound(command: readonly string[]): ChildProcess {
  const bound = existsSync('/usr/bin/setpriv')
    ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL', ...command]
    : command;
  return spawn(String(bound[0]), bound.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function readyLine(child: ChildProcess, ready: RegExp): Promise<RegExpExecArray> {
  let said = '';
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('is not ready in three minutes'), READY_MS);
    const fail = (why: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`${child.spawnargs.join(' ').slice(0, 200)} ${why}: ${said.slice(-2000)}`));
    };
    const listen = (chunk: Buffer): void => {
      said = `${said}${String(chunk)}`.slice(-100_000);
      const match = ready.exec(said);
      if (!match) return;
      clearTimeout(timer);
      resolve(match);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
  });
}
