import { Command } from 'commander';

import { LONGEST_INVITATION_MS } from '../../access/accounts/invitations.ts';
import { composeAccounts, composeKeys } from '../../compose/access.ts';
import { localUrl } from '../../config.ts';
import { withParts, type Finish } from '../command.ts';
import { readDuration } from '../options.ts';
import { note, print, printJson } from '../output.ts';
import { invitationUrl } from './accounts/link.ts';
import { listAccounts } from './accounts/list.ts';
import { accountSessions } from './accounts/sessions.ts';
import { serveAccountPages } from './accounts/serve.ts';

export function accounts(_finish: Finish): Command {
  return new Command('accounts')
    .usage('invite|list|sessions|serve [OPTIONS]')
    .helpCommand(false)
    .addCommand(invite())
    .addCommand(listAccounts())
    .addCommand(accountSessions())
    .addCommand(serveAccountPages())
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- accounts invite --account acme');
}

interface InviteOptions {
  readonly account: string;
  readonly for: string;
  readonly json?: boolean;
}

function invite(): Command {
  return new Command('invite')
    .description('Make a one-time link, with which one browser signs in to an account once.')
    .requiredOption('--account <account>', 'whose account it is (required)')
    .option('--for <time>', 'how long the link works: 30m, 24h, 7d', '24h')
    .option('--json', 'for scripts')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- accounts invite --account acme --for 2h')
    .action(({ account, for: time, json }: InviteOptions) =>
      withParts('accounts', 'create', async ({ config, parts }) => {
        const forMs = readDuration('--for', time, LONGEST_INVITATION_MS / 86_400_000);
        const service = await composeAccounts(parts, await composeKeys(parts));
        const { token, expiresAt } = await service.invite(account, forMs);
        const url = invitationUrl(config.publicUrl ?? localUrl(config.port), token);
        if (json) return printJson({ account, url, expires_at: expiresAt }, 'shown');
        print(url, 'shown');
        note(
          `A link to the account ${account}. It works once, until ${expiresAt}: give it to its holder alone.`,
        );
      }),
    );
}
