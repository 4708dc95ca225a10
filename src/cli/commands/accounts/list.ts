import { Command } from 'commander';

import { composeKeys } from '../../../compose/access.ts';
import { commandLine } from '../../../platform/command-line.ts';
import { withParts } from '../../command.ts';
import { print, printJson } from '../../output.ts';
import { table } from '../../table.ts';

const DAYS = 30;

export function listAccounts(): Command {
  return new Command('list')
    .description('List accounts with their keys, their last use, and what they used today and in 30 days.')
    .option('--json', 'for scripts')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- accounts list')
    .action(({ json }: { readonly json?: boolean }) =>
      withParts('accounts', 'read', async ({ parts }) => {
        const keys = await composeKeys(parts);
        const all: Row[] = [];
        for (const { account, activeKeys, endedKeys } of await keys.accounts()) {
          const { days, lastUsed, today } = await keys.usage(account, DAYS);
          const sum = (among: typeof days) => among.reduce((total, { requests }) => total + requests, 0);
          all.push({
            account,
            active_keys: activeKeys,
            ended_keys: endedKeys,
            last_used_at: [...lastUsed.values()].toSorted().at(-1) ?? null,
            today: sum(days.filter(({ day }) => day === today)),
            in_30_days: sum(days),
          });
        }
        if (json) return printJson({ accounts: all });
        if (all.length === 0)
          return print(`There are no accounts yet: ${commandLine('accounts invite --account NAME')}`);
        const columns = {
          account: 'account',
          'active keys': 'active_keys',
          'ended keys': 'ended_keys',
          'last used': 'last_used_at',
          today: 'today',
          '30 days': 'in_30_days',
        } as const;
        print(table(columns, all));
      }),
    );
}

interface Row {
  readonly account: string;
  readonly active_keys: number;
  readonly ended_keys: number;
  readonly last_used_at: string | null;
  readonly today: number;
  readonly in_30_days: number;
}
