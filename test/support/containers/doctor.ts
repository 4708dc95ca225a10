import { randomUUID } from 'node:crypto';

import { baseImages, type Engine } from './engine.ts';

/** What an engine says that cannot start a container, and what to do about it (docs/guides/test-services.md). */
const REMEDIES: readonly (readonly [said: RegExp, remedy: string])[] = [
  [/rlimit/, 'set default_ulimits in containers.conf to what this machine allows'],
  [/cgroup/, 'set cgroup_manager = "cgroupfs" in containers.conf'],
  [/libatomic/, 'the base image lacks the package libatomic1, which Node needs'],
  [/iptables|netavark|plugin/, 'install iptables and the network plugins that the guide names'],
  [
    /ENOTFOUND|EAI_AGAIN/,
    'containers do not find each other by name: install aardvark-dns, or the plugin dnsname',
  ],
];

/** Why containers of our base image cannot run here, with what to do; null where they can. */
export async function troubleRunning(engine: Engine): Promise<string | null> {
  const [image = ''] = baseImages();
  const { code, stdout, stderr } = await engine.run('run', '--rm', image, 'node', '--version');
  return code === 0 ? null : explained(`${stdout}\n${stderr}`);
}

/** Why containers do not find each other by name here, as those of docker-compose.yml must; null where they do. */
export async function troubleNaming(engine: Engine): Promise<string | null> {
  const [image = ''] = baseImages();
  const name = `catalog-doctor-${randomUUID().slice(0, 8)}`;
  const onNetwork = ['run', '--rm', `--network=${name}`];
  const lookUp = `require('node:dns').promises.lookup('${name}').then(() => undefined)`;
  const created = await engine.run('network', 'create', name);
  try {
    if (created.code !== 0) return explained(created.stderr);
    const other = await engine.run(...onNetwork, '--detach', `--name=${name}`, image, 'sleep', '60');
    if (other.code !== 0) return explained(other.stderr);
    const found = await engine.run(...onNetwork, image, 'node', '--eval', lookUp);
    return found.code === 0 ? null : explained(`${found.stdout}\n${found.stderr}`);
  } finally {
    await engine.run('rm', '--force', '--time=0', name);
    await engine.run('network', 'rm', name);
  }
}

export function explained(said: string): string {
  const [, remedy] = REMEDIES.find(([pattern]) => pattern.test(said)) ?? [];
  const line = said.split('\n').findLast((one) => /error|cannot|failed|not /i.test(one)) ?? said;
  return remedy === undefined ? line.trim() : `${remedy} (${line.trim()})`;
}
