import { Command } from 'commander';

import { composeKeys } from '../compose/access.ts';
import { withParts, type Finish } from './command.ts';
import { note, print, printJson, table } from './output.ts';

export function keys(finish: Finish): Command {
  return new Command('keys')
    .description('Create, list and revoke API keys.')
    .usage('create|list|revoke --account A [OPTIONS]')
    .helpCommand(false)
    .addCommand(create(finish))
    .addCommand(list())
    .addCommand(revoke(finish))
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- keys create --account acme');
}

interface AccountOptions {
  readonly account: string;
  readonly label?: string;
  readonly json?: boolean;
}

function forAccount(name: string): Command {
  return new Command(name)
    .requiredOption('--account <account>', 'whose key it is (required)')
    .option('--json', 'for scripts');
}

function create(finish: Finish): Command {
  return forAccount('create')
    .description('Create a key. It is shown once; at most 5 keys of an account are active.')
    .option('--label <label>', 'what the key is for')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- keys create --account acme --label website')
    .action(({ account, label, json }: AccountOptions) =>
      withParts('keys', async ({ parts }) => {
        const service = await composeKeys(parts);
        const created = await service.create(account, label === undefined ? {} : { label });
        if (created.outcome === 'limit_reached') {
          note(
            `catalog: ${account} has 5 active keys already. Revoke one: catalog keys revoke --account ${account} ID.`,
          );
          return finish(1);
        }
        if (json) return printJson({ id: created.id, account, key: created.key });
        print(created.key);
        note(`Key ${created.id} of ${account}. It is not shown again. Send it in the header x-api-key.`);
      }),
    );
}

function list(): Command {
  return forAccount('list')
    .description('List the keys of an account, without their secrets.')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- keys list --account acme')
    .action(({ account, json }: AccountOptions) =>
      withParts('keys', async ({ parts }) => {
        const service = await composeKeys(parts);
        const all = (await service.list(account)).map(({ id, label, createdAt, revokedAt }) => ({
          id,
          label,
          created_at: createdAt,
          revoked_at: revokedAt,
        }));
        if (json) return printJson({ account, keys: all });
        if (all.length === 0) return print(`${account} has no keys.`);
        const rows = all.map((key) => [key.id, key.created_at, key.revoked_at ?? '-', key.label ?? '-']);
        print(table(['id', 'created', 'revoked', 'label'], rows));
      }),
    );
}

function revoke(finish: Finish): Command {
  return forAccount('revoke')
    .description('Revoke a key. Every instance refuses it within 2 seconds.')
    .argument('<id>', 'as "keys list" shows it')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- keys revoke --account acme k_4fGh2LmQ9z')
    .action((id: string, { account, json }: AccountOptions) =>
      withParts('keys', async ({ parts }) => {
        const service = await composeKeys(parts);
        const { outcome } = await service.revoke(account, id);
        if (json) printJson({ id, account, outcome });
        else if (outcome === 'revoked') print(`${id} is revoked.`);
        else
          note(
            `catalog: ${account} has no active key ${id}. "catalog keys list --account ${account}" shows them.`,
          );
        if (outcome !== 'revoked') finish(1);
      }),
    );
}
