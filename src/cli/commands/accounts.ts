import { LONGEST_INVITATION_MS } from '../../access/accounts/invitations.ts';
import { checkAccountName } from '../../access/keys/input-checks.ts';
import type { Usage } from '../../access/quota/usage.ts';
import { composeAccounts, composeKeys, invitationUrl } from '../../compose/keys-and-accounts.ts';
import { localUrl } from '../../config.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { counted } from '../../texts/english-amounts.ts';
import { command, commandOf } from '../command.ts';
import { accountOption, argument, span } from '../option-builders.ts';
import { note, print, printJson } from '../output.ts';
import { asService, runUntilStopped } from '../service.ts';
import { fieldColumns, table, type Columns } from '../table.ts';

export const invite = commandOf('create', {
  takes: {
    account: accountOption('account it is'),
    for: span('<time>', 'how long the link works: 30m, 24h, 7d', LONGEST_INVITATION_MS, '24h'),
  },
  run: async ({ parts }, { account: name, for: forMs, json }) => {
    const service = await composeAccounts(parts, await composeKeys(parts));
    const { token, expiresAt } = await service.invite(name, forMs);
    const { config } = parts;
    const url = invitationUrl(config.publicUrl ?? localUrl(config.port), token);
    if (json) return printJson({ account: name, url, expires_at: expiresAt }, 'shown');
    print(url, 'shown');
    note(`A link to the account ${name}. It works once, until ${expiresAt}: give it to its holder alone.`);
  },
});

const DAYS = 30;

export const list = commandOf('read', {
  run: async ({ parts }, { json }) => {
    const keys = await composeKeys(parts);
    const sessions = await (await composeAccounts(parts, keys)).sessions.count();
    const withKeys = new Map((await keys.accounts()).map((one) => [one.account, one]));
    const all: Row[] = [];
    // An account without a key is listed as well, where somebody is signed in to it.
    for (const account of [...new Set([...withKeys.keys(), ...sessions.keys()])].toSorted()) {
      const { activeKeys = 0, endedKeys = 0 } = withKeys.get(account) ?? {};
      const open = sessions.get(account) ?? 0;
      const counts = { account, sessions: open, active_keys: activeKeys, ended_keys: endedKeys };
      all.push({ ...counts, ...usedBy(await keys.usage(account, DAYS)) });
    }
    if (json) printJson({ accounts: all });
    else if (all.length === 0)
      print(`There are no accounts yet: ${commandLine('accounts invite --account NAME')}`);
    else print(table(COLUMNS, all));
  },
});

/** `held_today`: how many of today's requests may be held in advance, and not asked yet. */
function usedBy({ days, lastUsed, today }: Usage) {
  const sum = (among: typeof days) => among.reduce((total, { requests }) => total + requests, 0);
  const ofToday = days.filter(({ day }) => day === today);
  return {
    last_used_at: [...lastUsed.values()].toSorted().at(-1) ?? null,
    today: sum(ofToday),
    held_today: ofToday.reduce((total, { held }) => total + held, 0),
    in_30_days: sum(days),
  };
}

type Row = ReturnType<typeof usedBy> &
  Readonly<Record<'sessions' | 'active_keys' | 'ended_keys', number>> & { readonly account: string };

const COLUMNS: Columns<Row> = {
  ...fieldColumns('account', 'active_keys', 'ended_keys', 'sessions'),
  'last used': 'last_used_at',
  today: 'today',
  '±': 'held_today',
  '30 days': 'in_30_days',
};

export const signOut = commandOf('change', {
  takes: { account: argument('<account>', 'whose sessions end') },
  run: async ({ parts }, { account, json }) => {
    checkAccountName(account);
    const service = await composeAccounts(parts, await composeKeys(parts, { withAnyPepper: true }));
    const ended = await service.sessions.endAllOf(account);
    if (ended > 0) await service.note(account, { action: 'sessions_ended' });
    if (json) printJson({ account, ended });
    else print(`${counted(ended, 'session')} of ${account} ended.`);
  },
});

export const serve = command({
  run: ({ json }) =>
    asService('accounts', async (service) => {
      const { serveAccounts } = await import('../../compose/accounts-server.ts');
      const { url, checks } = service.stack.use(await serveAccounts(service.parts, service.starting.wait));
      Object.assign(service.checks, checks);
      const words = { doing: `Serving accounts at ${url}`, last: 'the requests in hand are answered' };
      await runUntilStopped(service, { url, json, ...words });
    }),
});
