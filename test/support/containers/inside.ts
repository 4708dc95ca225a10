import type { Engine } from './engine.ts';

/** What a process of ours may do within its container, as the kernel says it. */
export interface Inside {
  readonly uid: number;
  readonly gid: number;
  /** Capabilities that it has, and that it could ever have: bit masks in hexadecimal. */
  readonly capabilities: readonly string[];
  readonly hasNoNewPrivileges: boolean;
  /** Every folder of the file system that can be written to. */
  readonly writable: readonly string[];
  /** Programs that install packages. */
  readonly installers: readonly string[];
}

/** Run by the image's own Node. A folder is tried by making a file in it, not by asking for permission. */
const LOOK = `
const fs = require('node:fs');
const status = fs.readFileSync('/proc/1/status', 'utf8');
const field = (name) => new RegExp('^' + name + ':\\\\s*(.*)$', 'm').exec(status)[1];
const writable = [];
const look = (folder, depth) => {
  if (['/proc', '/sys', '/dev'].includes(folder)) return;
  try { const file = folder + '/.look'; fs.writeFileSync(file, ''); fs.unlinkSync(file); writable.push(folder); } catch {}
  let entries = [];
  try { entries = fs.readdirSync(folder, { withFileTypes: true }); } catch {}
  for (const entry of entries) if (entry.isDirectory()) look((folder === '/' ? '' : folder) + '/' + entry.name, depth + 1);
};
look('/', 0);
const installers = ['npm', 'npx', 'corepack', 'yarn', 'pnpm'].filter((name) =>
  process.env.PATH.split(':').some((folder) => fs.existsSync(folder + '/' + name)));
console.log(JSON.stringify({
  uid: Number(field('Uid').split(/\\s+/)[1]),
  gid: Number(field('Gid').split(/\\s+/)[1]),
  capabilities: ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map(field),
  hasNoNewPrivileges: field('NoNewPrivs') === '1',
  writable, installers,
}));`;

export async function lookInside(engine: Engine, container: string): Promise<Inside> {
  return JSON.parse(await engine.ok('exec', container, 'node', '--eval', LOOK)) as Inside;
}

export const NO_CAPABILITIES = Array.from({ length: 5 }, () => '0000000000000000');
