import { composeAccounts, composeKeys } from '../../../compose/access.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import { commandOf } from '../../command.ts';
import { print, printJson } from '../../output.ts';
import { table, type Columns } from '../../table.ts';

const DAYS = 30;

export const list = commandOf('read', {
  example: 'accounts list',
  run: async ({ parts }, { json }) => {
    const keys = await composeKeys(parts);
    const sessions = await (await composeAccounts(parts, keys)).sessions.count();
    const withKeys = new Map((await keys.accounts()).map((one) => [one.account, one]));
    const all: Row[] = [];
    // An account without a key is listed as well, where somebody is signed in to it.
    for (const account of [...new Set([...withKeys.keys(), ...sessions.keys()])].toSorted()) {
      const { activeKeys = 0, endedKeys = 0 } = withKeys.get(account) ?? {};
      const { days, lastUsed, today } = await keys.usage(account, DAYS);
      const sum = (among: typeof days) => among.reduce((total, { requests }) => total + requests, 0);
      const ofToday = days.filter(({ day }) => day === today);
      all.push({
        account,
        sessions: sessions.get(account) ?? 0,
        active_keys: activeKeys,
        ended_keys: endedKeys,
        last_used_at: [...lastUsed.values()].toSorted().at(-1) ?? null,
        today: sum(ofToday),
        held_today: ofToday.reduce((total, { held }) => total + held, 0),
        in_30_days: sum(days),
      });
    }
    if (json) printJson({ accounts: all });
    else if (all.length === 0)
      print(`There are no accounts yet: ${commandLine('accounts invite --account NAME')}`);
    else print(table(COLUMNS, all));
  },
});

interface Row {
  readonly account: string;
  readonly active_keys: number;
  readonly ended_keys: number;
  readonly sessions: number;
  readonly last_used_at: string | null;
  readonly today: number;
  /** How many of these may be held in advance, and not asked yet. */
  readonly held_today: number;
  readonly in_30_days: number;
}

const COLUMNS: Columns<Row> = {
  account: 'account',
  'active keys': 'active_keys',
  'ended keys': 'ended_keys',
  sessions: 'sessions',
  'last used': 'last_used_at',
  today: 'today',
  '±': 'held_today',
  '30 days': 'in_30_days',
};
