import { Command } from 'commander';

import { USAGE_DAYS } from '../../../access/quota/usage.ts';
import { composeKeys } from '../../../compose/access.ts';
import { commandLine } from '../../../platform/command-line.ts';
import { UsageError } from '../../../platform/errors.ts';
import { withParts } from '../../command.ts';
import { counted, print, printJson, table } from '../../output.ts';

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
        const rows = all.map((one) => [one.account, one.active_keys, one.ended_keys]);
        print(table(['account', 'active keys', 'ended keys'], rows));
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
        if (json) return printJson({ account, days: used });
        if (used.length === 0)
          return print(`No requests of ${account} in the last ${counted(count, 'day')}.`);
        const rows = used.map(({ day, place, requests, keys }) => [
          day,
          String(place),
          requests,
          keys.join(' '),
        ]);
        print(table(['day', 'place', 'requests', 'keys'], rows));
      }),
    );
}

function readDays(text: string): number {
  if (/^[1-9]\d?$/.test(text) && Number(text) <= USAGE_DAYS) return Number(text);
  throw new UsageError(`--days must be a whole number from 1 to ${USAGE_DAYS}.`);
}
