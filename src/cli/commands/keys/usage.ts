import { Command } from 'commander';

import { USAGE_DAYS, type PlaceDay } from '../../../access/quota/usage.ts';
import { composeKeys } from '../../../compose/access.ts';
import { commandLine } from '../../../platform/command-line.ts';
import { UsageError } from '../../../platform/errors.ts';
import { withParts } from '../../command.ts';
import { counted } from '../../../platform/amounts.ts';
import { print, printJson } from '../../output.ts';
import { table, type Columns } from '../../table.ts';

export function accounts(): Command {
  return new Command('accounts')
    .description('List the accounts that have, or had, keys.')
    .option('--json', 'for scripts')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- keys accounts')
    .action(({ json }: { readonly json?: boolean }) =>
      withParts('keys', 'read', async ({ parts }) => {
        const service = await composeKeys(parts);
        const all = (await service.accounts()).map(({ account, activeKeys, endedKeys }) => ({
          account,
          active_keys: activeKeys,
          ended_keys: endedKeys,
        }));
        if (json) return printJson({ accounts: all });
        if (all.length === 0)
          return print(
            `There are no accounts yet. Create a key: ${commandLine('keys create --account NAME')}`,
          );
        print(table({ account: 'account', 'active keys': 'active_keys', 'ended keys': 'ended_keys' }, all));
      }),
    );
}

interface UsageOptions {
  readonly account: string;
  readonly days: string;
  readonly json?: boolean;
}

export function usage(): Command {
  return new Command('usage')
    .description('Show how many requests an account has made, by UTC day and place.')
    .requiredOption('--account <account>', 'whose requests they are (required)')
    .option('--days <days>', `how many days, today included: 1 to ${USAGE_DAYS}`, '7')
    .option('--json', 'for scripts')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- keys usage --account acme --days 30')
    .action(({ account, days, json }: UsageOptions) =>
      withParts('keys', 'read', async ({ parts }) => {
        const count = readDays(days);
        const service = await composeKeys(parts);
        const used = (await service.usage(account, count)).days;
        if (json)
          return printJson({
            account,
            days: used.map((day) => ({ ...day, byKey: undefined, by_key: Object.fromEntries(day.byKey) })),
          });
        if (used.length === 0)
          return print(`No requests of ${account} in the last ${counted(count, 'day')}.`);
        print(table(USAGE, used));
      }),
    );
}

const USAGE: Columns<PlaceDay> = {
  day: 'day',
  place: ({ place }) => String(place),
  requests: 'requests',
  keys: ({ keys, byKey }) => keys.map((id) => `${id} ${byKey.get(id) ?? 0}`).join(', '),
};

function readDays(text: string): number {
  if (/^[1-9]\d?$/.test(text) && Number(text) <= USAGE_DAYS) return Number(text);
  throw new UsageError(`--days must be a whole number from 1 to ${USAGE_DAYS}.`);
}
