import { Command } from 'commander';

import { composeAccounts, composeKeys } from '../../../compose/access.ts';
import { counted } from '../../../platform/amounts.ts';
import { withParts } from '../../command.ts';
import { print, printJson } from '../../output.ts';

export function accountSessions(): Command {
  return new Command('sessions')
    .description('Look after the sessions of accounts: who is signed in on the account pages.')
    .usage('end [OPTIONS]')
    .helpCommand(false)
    .addCommand(end())
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- accounts sessions end acme');
}

function end(): Command {
  return new Command('end')
    .description(
      'End all sessions of an account: every browser is signed out at once. Its keys go on working.',
    )
    .argument('<account>', 'whose sessions they are')
    .option('--json', 'for scripts')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- accounts sessions end acme')
    .action((account: string, { json }: { readonly json?: boolean }) =>
      withParts('accounts', 'change', async ({ parts }) => {
        const service = await composeAccounts(parts, await composeKeys(parts));
        const ended = await service.signOutAll(account);
        if (ended > 0) await service.note(account, { action: 'sessions_ended' });
        if (json) return printJson({ account, ended });
        print(`${counted(ended, 'session')} of ${account} ended.`);
      }),
    );
}
