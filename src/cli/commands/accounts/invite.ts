import { LONGEST_INVITATION_MS } from '../../../access/accounts/invitations.ts';
import { composeAccounts, composeKeys } from '../../../compose/access.ts';
import { localUrl } from '../../../config.ts';
import { commandOf } from '../../command.ts';
import { accountOption, span } from '../../options.ts';
import { note, print, printJson } from '../../output.ts';
import { invitationUrl } from './link.ts';

export const invite = commandOf('create', {
  takes: {
    account: accountOption('account it is'),
    for: span('<time>', 'how long the link works: 30m, 24h, 7d', LONGEST_INVITATION_MS, '24h'),
  },
  example: 'accounts invite --account acme --for 2h',
  run: async ({ config, parts }, { account: name, for: forMs, json }) => {
    const service = await composeAccounts(parts, await composeKeys(parts));
    const { token, expiresAt } = await service.invite(name, forMs);
    const url = invitationUrl(config.publicUrl ?? localUrl(config.port), token);
    if (json) return printJson({ account: name, url, expires_at: expiresAt }, 'shown');
    print(url, 'shown');
    note(`A link to the account ${name}. It works once, until ${expiresAt}: give it to its holder alone.`);
  },
});
