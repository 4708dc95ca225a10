import { PLACES, type ShownKey } from '../../access/keys/account-document.ts';
import type { ReplaceRefusal } from '../../access/keys/key-placement.ts';
import { LONGEST_OVERLAP_MS } from '../../access/keys/input-checks.ts';
import { DAYS_KEPT } from '../../access/quota/ended-days.ts';
import type { PlaceDay, Usage } from '../../access/quota/usage.ts';
import { composeAccounts, composeKeys } from '../../compose/keys-and-accounts.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { counted } from '../../texts/english-amounts.ts';
import { commandOf } from '../command.ts';
import { accountOption, argument, integer, span, textOption } from '../option-builders.ts';
import { note, print, printJson } from '../output.ts';
import { table, type Columns } from '../table.ts';

const ONCE = 'It is not shown again: revoke it if nobody has read it.';

export const create = commandOf('create', {
  takes: { account: accountOption('key it is'), label: textOption('<label>', 'what the key is for') },
  run: async ({ parts }, { account: name, json, ...label }) => {
    const service = await composeKeys(parts);
    const created = await service.create(name, label);
    if (created.outcome === 'limit_reached') {
      const end = commandLine(`keys revoke --account ${name} ID`);
      note(`catalog: ${name} has ${PLACES} active keys already. Revoke one: ${end}`);
      return 1;
    }
    const { id, place, key } = created;
    await (await composeAccounts(parts, service)).note(name, { action: 'key_created', keyId: id });
    if (json) return printJson({ id, account: name, place, key }, 'shown');
    print(key, 'shown');
    note(`Key ${id} of ${name}, in place ${place}. ${ONCE} Send it in the header x-api-key.`);
  },
});

export const list = commandOf('read', {
  takes: { account: accountOption('keys they are') },
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

export const rotate = commandOf('change', {
  takes: {
    id: argument('<id>', 'the old key, as "keys list" shows it'),
    account: accountOption('key it is'),
    overlap: span(
      '<time>',
      'how long the old key goes on working: 30m, 24h, 7d; 0 ends it at once',
      LONGEST_OVERLAP_MS,
      '24h',
    ),
    label: textOption('<label>', 'what the new key is for; by default as the old one'),
  },
  run: async ({ parts }, { id, account: name, overlap: overlapMs, label, json }) => {
    const service = await composeKeys(parts);
    const rotated = await service.rotate(name, id, { overlapMs, label });
    const { outcome } = rotated;
    if (outcome !== 'rotated') {
      if (json) printJson({ id, account: name, outcome });
      else note(`catalog: ${whyNotRotated(name, id, rotated)}`);
      return 1;
    }
    const { id: newId, key, oldEndsAt } = rotated;
    await (await composeAccounts(parts, service)).note(name, { action: 'key_rotated', keyId: id });
    const replaces = { id, ends_at: oldEndsAt };
    if (json) return printJson({ id: newId, account: name, outcome, key, replaces }, 'shown');
    print(key, 'shown');
    const old = overlapMs === 0 ? `${id} has ended` : `${id} works until ${oldEndsAt}`;
    note(`Key ${newId} of ${name}. ${ONCE} ${old}.`);
  },
});

function whyNotRotated(account: string, id: string, refusal: ReplaceRefusal): string {
  switch (refusal.outcome) {
    case 'limit_reached':
      return `${account} has ${PLACES} active keys, and the old one counts until it has ended. Use --overlap 0, or revoke another key first.`;
    case 'unknown':
      return `${account} has no key ${id}. "${commandLine(`keys list --account ${account}`)}" shows them.`;
    case 'ended':
      return `${id} ended at ${refusal.endedAt}. Create a new key: ${commandLine(`keys create --account ${account}`)}`;
    case 'expiring':
      return `${id} is being replaced already and works until ${refusal.expiresAt}. To end it sooner: ${commandLine(`keys revoke --account ${account} ${id}`)}`;
  }
}

export const revoke = commandOf('change', {
  takes: { id: argument('<id>', 'as "keys list" shows it'), account: accountOption('key it is') },
  run: async ({ parts }, { account: name, id, json }) => {
    const service = await composeKeys(parts, { withAnyPepper: true });
    const isRevoked = await service.revoke(name, id);
    if (isRevoked)
      await (await composeAccounts(parts, service)).note(name, { action: 'key_revoked', keyId: id });
    if (json) printJson({ id, account: name, outcome: isRevoked ? 'revoked' : 'unknown' });
    else if (isRevoked) print(`${id} is revoked.`);
    else {
      const others = commandLine(`keys list --account ${name}`);
      note(`catalog: ${name} has no active key ${id}. "${others}" shows them.`);
    }
    return isRevoked ? 0 : 1;
  },
});

export const usage = commandOf('read', {
  takes: {
    account: accountOption('requests they are'),
    days: integer('<days>', 'how many days, today included', [1, DAYS_KEPT], 7),
  },
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
