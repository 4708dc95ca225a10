import { Command } from 'commander';

import { LONGEST_INVITATION_MS } from '../../access/accounts/invitations.ts';
import { composeAccounts, composeKeys } from '../../compose/access.ts';
import { localUrl } from '../../config.ts';
import { counted } from '../../platform/text/format.ts';
import { groupOf } from '../building.ts';
import { withParts } from '../command.ts';
import { readDuration } from '../options.ts';
import { note, print, printJson } from '../output.ts';
import { asService, runUntilStopped } from '../service.ts';
import { invitationUrl } from './accounts/link.ts';
import { listAccounts } from './accounts/list.ts';

export function accounts(): Command {
  const commands = [invite(), listAccounts(), sessions(), serve()];
  return groupOf('accounts', commands, 'accounts invite --account acme');
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

function sessions(): Command {
  return groupOf('sessions', [end()], 'accounts sessions end acme').description(
    'Look after the sessions of accounts: who is signed in on the account pages.',
  );
}

function end(): Command {
  return new Command('end')
    .description(
      'End all sessions of an account: every browser is signed out at once. Its keys go on working.',
    )
    .argument('<account>', 'whose sessions they are')
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

function serve(): Command {
  return new Command('serve')
    .description('Serve the account pages alone, beside "serve", with a database user of their own.')
    .option('--json', 'for scripts: one line once it serves; its log is JSON in any case')
    .addHelpText('after', '\nExample:\n  PORT=8090 npm run -s catalog -- accounts serve')
    .action(({ json }: { json?: boolean }) =>
      asService('accounts', async (service) => {
        const { serveAccounts } = await import('../../compose/accounts.ts');
        const { url, checks } = service.stack.use(await serveAccounts(service.parts, service.starting.wait));
        Object.assign(service.checks, checks);
        const words = { doing: `Serving accounts at ${url}`, last: 'the requests in hand are answered' };
        await runUntilStopped(service, { url, json, ...words });
      }),
    );
}
