import type { ShownKey } from '../../../access/keys/account-document.ts';
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

/** `held_today`: how many of the place's requests today may be held in advance, and not asked yet. */
function usedBy({ id, place }: ShownKey, { days, today, lastUsed }: Usage) {
  const ofToday = days.find((one) => one.day === today && one.place === place);
  return {
    last_used_at: lastUsed.get(id) ?? null,
    today: ofToday?.byKey.get(id) ?? 0,
    held_today: ofToday?.held ?? 0,
    in_30_days: days.reduce((sum, { byKey }) => sum + (byKey.get(id) ?? 0), 0),
  };
}

const KEYS: Columns<ShownKey & ReturnType<typeof usedBy>> = {
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
