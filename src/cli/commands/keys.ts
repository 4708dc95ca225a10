import { Command } from 'commander';

import type { ShownKey } from '../../access/keys/accounts.ts';
import type { NotReplaced } from '../../access/keys/changes.ts';
import { LONGEST_OVERLAP_MS } from '../../access/keys/texts.ts';
import type { Done } from '../../access/accounts/audit.ts';
import type { Usage } from '../../access/quota/usage.ts';
import type { Keys, Rotated } from '../../access/keys/keys.ts';
import { composeAccounts, composeKeys } from '../../compose/access.ts';
import type { Parts } from '../../compose/parts.ts';
import { commandLine } from '../../platform/text/command-line.ts';
import { groupOf } from '../building.ts';
import { withParts, type Finish } from '../command.ts';
import { usage } from './keys/usage.ts';
import { note, print, printJson } from '../output.ts';
import { table, type Columns } from '../table.ts';
import { readDuration } from '../options.ts';

export function keys(finish: Finish): Command {
  const commands = [create(finish), list(), rotate(finish), revoke(finish), usage()];
  return groupOf('keys', commands, 'keys create --account acme');
}

/** The holder of the account sees what an operator has done to it. */
async function noteFor(parts: Parts, service: Keys, account: string, done: Done): Promise<void> {
  await (await composeAccounts(parts, service)).note(account, done);
}

interface AccountOptions {
  readonly account: string;
  readonly label?: string;
  readonly json?: boolean;
}

function forAccount(name: string): Command {
  return new Command(name).requiredOption('--account <account>', 'whose key it is (required)');
}

function create(finish: Finish): Command {
  return forAccount('create')
    .description('Create a key. It is shown once; at most 5 keys of an account are active.')
    .option('--label <label>', 'what the key is for')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- keys create --account acme --label website')
    .action(({ account, label, json }: AccountOptions) =>
      withParts('keys', 'create', async ({ parts }) => {
        const service = await composeKeys(parts);
        const created = await service.create(account, label === undefined ? {} : { label });
        if (created.outcome === 'limit_reached') {
          note(
            `catalog: ${account} has 5 active keys already. Revoke one: ${commandLine(`keys revoke --account ${account} ID`)}`,
          );
          return finish(1);
        }
        await noteFor(parts, service, account, { action: 'key_created', keyId: created.id });
        if (json)
          return printJson({ id: created.id, account, place: created.place, key: created.key }, 'shown');
        print(created.key, 'shown');
        note(
          `Key ${created.id} of ${account}, in place ${created.place}. It is not shown again. Send it in the header x-api-key.`,
        );
      }),
    );
}

function list(): Command {
  return forAccount('list')
    .description(
      'List the keys of an account, without their secrets, with their last use and requests by day.',
    )
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- keys list --account acme')
    .action(({ account, json }: AccountOptions) =>
      withParts('keys', 'read', async ({ parts }) => {
        const service = await composeKeys(parts);
        const used = await service.usage(account, LISTED_DAYS);
        const all = (await service.list(account)).map((key) => ({ ...key, ...usedBy(key, used) }));
        if (json) return printJson({ account, keys: all });
        print(all.length === 0 ? `${account} has no keys.` : table(KEYS, all));
      }),
    );
}

/** Days whose requests are listed, as on the account's page. */
const LISTED_DAYS = 30;

interface UsedBy {
  readonly last_used_at: string | null;
  readonly today: number;
  /** How many of the place's requests today may be held in advance, and not asked yet. */
  readonly held_today: number;
  readonly in_30_days: number;
  /** Days with requests, the newest first. */
  readonly by_day: Readonly<Record<string, number>>;
}

function usedBy({ id, place }: ShownKey, { days, today, lastUsed }: Usage): UsedBy {
  const used = days.flatMap(({ day, byKey }) => (byKey.has(id) ? [[day, byKey.get(id) ?? 0] as const] : []));
  return {
    last_used_at: lastUsed.get(id) ?? null,
    today: used.find(([day]) => day === today)?.[1] ?? 0,
    held_today: days.find((one) => one.day === today && one.place === place)?.held ?? 0,
    in_30_days: used.reduce((sum, [, requests]) => sum + requests, 0),
    by_day: Object.fromEntries(used),
  };
}

const KEYS: Columns<ShownKey & Omit<UsedBy, 'by_day'>> = {
  id: 'id',
  place: ({ place }) => String(place),
  created: 'created_at',
  'last used': 'last_used_at',
  today: 'today',
  '±': 'held_today',
  '30 days': 'in_30_days',
  expires: 'expires_at',
  revoked: 'revoked_at',
  label: 'label',
};

interface RotationOptions extends AccountOptions {
  readonly overlap: string;
}

function rotate(finish: Finish): Command {
  return forAccount('rotate')
    .description(
      'Make a key in the place of another one. Both work during the overlap; then the old one ends.',
    )
    .argument('<id>', 'the old key, as "keys list" shows it')
    .option(
      '--overlap <time>',
      'how long the old key goes on working: 30m, 24h, 7d; 0 ends it at once',
      '24h',
    )
    .option('--label <label>', 'what the new key is for; by default as the old one')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s catalog -- keys rotate --account acme k_4fGh2LmQ9z --overlap 7d',
    )
    .action((id: string, { account, overlap, label, json }: RotationOptions) =>
      withParts('keys', 'change', async ({ parts }) => {
        const overlapMs = readDuration('--overlap', overlap, LONGEST_OVERLAP_MS / 86_400_000);
        const service = await composeKeys(parts);
        const rotated = await service.rotate(account, id, { overlapMs, label });
        if (rotated.outcome === 'rotated')
          await noteFor(parts, service, account, { action: 'key_rotated', keyId: id });
        if (json) printJson(rotationJson(account, id, rotated), 'shown');
        if (rotated.outcome !== 'rotated') {
          if (!json) note(`catalog: ${whyNotRotated(account, id, rotated)}`);
          return finish(1);
        }
        if (json) return;
        print(rotated.key, 'shown');
        const old = overlapMs === 0 ? `${id} has ended` : `${id} works until ${rotated.oldEndsAt}`;
        note(`Key ${rotated.id} of ${account}. It is not shown again. ${old}.`);
      }),
    );
}

function rotationJson(account: string, id: string, rotated: Rotated): object {
  if (rotated.outcome !== 'rotated') return { id, account, outcome: rotated.outcome };
  const { id: newId, key, oldEndsAt } = rotated;
  return { id: newId, account, outcome: 'rotated', key, replaces: { id, ends_at: oldEndsAt } };
}

function whyNotRotated(account: string, id: string, refusal: NotReplaced): string {
  switch (refusal.outcome) {
    case 'limit_reached':
      return `${account} has ${refusal.limit} active keys, and the old one counts until it has ended. Use --overlap 0, or revoke another key first.`;
    case 'unknown':
      return `${account} has no key ${id}. "${commandLine(`keys list --account ${account}`)}" shows them.`;
    case 'ended':
      return `${id} ended at ${refusal.endedAt}. Create a new key: ${commandLine(`keys create --account ${account}`)}`;
    case 'expiring':
      return `${id} is being replaced already and works until ${refusal.expiresAt}. To end it sooner: ${commandLine(`keys revoke --account ${account} ${id}`)}`;
  }
}

function revoke(finish: Finish): Command {
  return forAccount('revoke')
    .description('Revoke a key. Every instance refuses it within 2 seconds.')
    .argument('<id>', 'as "keys list" shows it')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- keys revoke --account acme k_4fGh2LmQ9z')
    .action((id: string, { account, json }: AccountOptions) =>
      withParts('keys', 'change', async ({ parts }) => {
        const service = await composeKeys(parts);
        const { outcome } = await service.revoke(account, id);
        if (outcome === 'revoked')
          await noteFor(parts, service, account, { action: 'key_revoked', keyId: id });
        if (json) printJson({ id, account, outcome });
        else if (outcome === 'revoked') print(`${id} is revoked.`);
        else
          note(
            `catalog: ${account} has no active key ${id}. "${commandLine(`keys list --account ${account}`)}" shows them.`,
          );
        if (outcome !== 'revoked') finish(1);
      }),
    );
}
