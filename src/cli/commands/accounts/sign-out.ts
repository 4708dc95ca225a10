import { composeAccounts, composeKeys } from '../../../compose/access.ts';
import { counted } from '../../../texts/plain.ts';
import { commandOf } from '../../command.ts';
import { argument } from '../../options.ts';
import { print, printJson } from '../../output.ts';

export const signOut = commandOf('change', {
  takes: { account: argument('<account>', 'whose sessions end') },
  example: 'accounts sign-out acme',
  run: async ({ parts }, { account, json }) => {
    const service = await composeAccounts(parts, await composeKeys(parts));
    const ended = await service.sessions.endAllOf(account);
    if (ended > 0) await service.note(account, { action: 'sessions_ended' });
    if (json) printJson({ account, ended });
    else print(`${counted(ended, 'session')} of ${account} ended.`);
  },
});
