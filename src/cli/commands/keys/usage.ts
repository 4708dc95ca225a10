import { Command } from 'commander';

import { USAGE_DAYS, type PlaceDay } from '../../../access/quota/usage.ts';
import { composeKeys } from '../../../compose/access.ts';
import { withParts } from '../../command.ts';
import { counted } from '../../../platform/text/format.ts';
import { integerFrom } from '../../options.ts';
import { print, printJson } from '../../output.ts';
import { table, type Columns } from '../../table.ts';

interface UsageOptions {
  readonly account: string;
  readonly days: number;
  readonly json?: boolean;
}

export function usage(): Command {
  return new Command('usage')
    .description('Show how many requests an account has made, by UTC day and place.')
    .requiredOption('--account <account>', 'whose requests they are (required)')
    .option('--days <days>', 'how many days, today included', integerFrom(1, USAGE_DAYS), 7)
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- keys usage --account acme --days 30')
    .action(({ account, days, json }: UsageOptions) =>
      withParts('keys', 'read', async ({ parts }) => {
        const service = await composeKeys(parts);
        const used = (await service.usage(account, days)).days;
        if (json)
          return printJson({
            account,
            days: used.map((day) => ({ ...day, byKey: undefined, by_key: Object.fromEntries(day.byKey) })),
          });
        if (used.length === 0) return print(`No requests of ${account} in the last ${counted(days, 'day')}.`);
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
