import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import kafkajs, { type AclEntry } from 'kafkajs';

import type { KafkaAddress } from '../../src/events/log/kafka/address.ts';
import { withAdmin } from './kafka-log.ts';

/** Lets the users of this run do what docs/guides/deploy.md says that each needs, and nothing else. */
export async function grantAsDeployed(prefix = '', address?: KafkaAddress): Promise<void> {
  const acl = aclsOf('docs/guides/deploy.md', prefix).flatMap((entry) =>
    BOTH.has(entry.principal) ? [entry, { ...entry, principal: 'User:one-process' }] : [entry],
  );
  await withAdmin((admin) => admin.createAcls({ acl }), address);
}

const BOTH = new Set(['User:project', 'User:operator']);

/** What the `kafka-acls.sh` commands of a page would make, for topics and groups of an installation's own prefix. */
function aclsOf(page: string, prefix: string): readonly AclEntry[] {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
  const commands = [...text.matchAll(/^\$acls (.+)$/gm)].map(([, args]) => String(args).split(' '));
  return commands.flatMap((args) => {
    const given = (option: string): readonly string[] =>
      args.flatMap((arg, at) => (arg === option ? [String(args[at + 1])] : []));
    const named = [
      ...given('--topic').map((name) => ({ name, type: kafkajs.AclResourceTypes.TOPIC })),
      ...given('--group').map((name) => ({ name, type: kafkajs.AclResourceTypes.GROUP })),
    ];
    const isPrefix = given('--resource-pattern-type').includes('prefixed');
    return given('--operation').flatMap((operation) =>
      named.map(({ name, type }) => ({
        resourceType: type,
        resourceName: `${prefix}${name}`,
        resourcePatternType: isPrefix
          ? kafkajs.ResourcePatternTypes.PREFIXED
          : kafkajs.ResourcePatternTypes.LITERAL,
        principal: String(given('--allow-principal')[0]),
        host: '*',
        operation: OPERATIONS[operation] ?? Number.NaN,
        permissionType: kafkajs.AclPermissionTypes.ALLOW,
      })),
    );
  });
}

const OPERATIONS: Readonly<Record<string, number>> = {
  Create: kafkajs.AclOperationTypes.CREATE,
  DescribeConfigs: kafkajs.AclOperationTypes.DESCRIBE_CONFIGS,
  Read: kafkajs.AclOperationTypes.READ,
  Write: kafkajs.AclOperationTypes.WRITE,
};
