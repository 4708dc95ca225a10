import { DAYS_KEPT } from '../../../access/quota/days.ts';
import type { PlaceDay } from '../../../access/quota/usage.ts';
import { composeKeys } from '../../../compose/access.ts';
import { counted } from '../../../texts/plain.ts';
import { commandOf } from '../../command.ts';
import { accountOption, integer } from '../../options.ts';
import { print, printJson } from '../../output.ts';
import { table, type Columns } from '../../table.ts';

export const usage = commandOf('read', {
  takes: {
    account: accountOption('requests they are'),
    days: integer('<days>', 'how many days, today included', [1, DAYS_KEPT], 7),
  },
  example: 'keys usage --account acme --days 30',
  run: async ({ parts }, { account: name, days, json }) => {
    const used = (await (await composeKeys(parts)).usage(name, days)).days;
    if (json) {
      const told = used.map(({ byKey, ...day }) => ({ ...day, by_key: Object.fromEntries(byKey) }));
      return printJson({ account: name, days: told });
    }
    if (used.length === 0) return print(`No requests of ${name} in the last ${counted(days, 'day')}.`);
    print(table(USAGE, used));
  },
});

const USAGE: Columns<PlaceDay> = {
  day: 'day',
  place: ({ place }) => String(place),
  requests: 'requests',
  keys: ({ byKey }) => [...byKey].map(([id, requests]) => `${id} ${requests}`).join(', '),
};
