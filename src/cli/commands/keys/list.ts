import type { ShownKey } from '../../../access/keys/accounts.ts';
import type { Usage } from '../../../access/quota/usage.ts';
import { composeKeys } from '../../../compose/access.ts';
import { commandOf } from '../../command.ts';
import { accountOption } from '../../options.ts';
import { print, printJson } from '../../output.ts';
import { table, type Columns } from '../../table.ts';

export const list = commandOf('read', {
  takes: { account: accountOption('keys they are') },
  example: 'keys list --account acme',
  run: async ({ parts }, { account: name, json }) => {
    const service = await composeKeys(parts);
    const used = await service.usage(name, LISTED_DAYS);
    const all = (await service.list(name)).map((key) => ({ ...key, ...usedBy(key, used) }));
    if (json) printJson({ account: name, keys: all });
    else print(all.length === 0 ? `${name} has no keys.` : table(KEYS, all));
  },
});

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
