import { composeAccounts, composeKeys } from '../../../compose/access.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import { commandOf } from '../../command.ts';
import { accountOption, argument } from '../../options.ts';
import { note, print, printJson } from '../../output.ts';

export const revoke = commandOf('change', {
  takes: { id: argument('<id>', 'as "keys list" shows it'), account: accountOption('key it is') },
  example: 'keys revoke --account acme k_4fGh2LmQ9z',
  run: async ({ parts }, { account: name, id, json }) => {
    const service = await composeKeys(parts);
    const isRevoked = await service.revoke(name, id);
    if (isRevoked)
      await (await composeAccounts(parts, service)).note(name, { action: 'key_revoked', keyId: id });
    if (json) printJson({ id, account: name, outcome: isRevoked ? 'revoked' : 'unknown' });
    else if (isRevoked) print(`${id} is revoked.`);
    else {
      const list = commandLine(`keys list --account ${name}`);
      note(`catalog: ${name} has no active key ${id}. "${list}" shows them.`);
    }
    return isRevoked ? 0 : 1;
  },
});
