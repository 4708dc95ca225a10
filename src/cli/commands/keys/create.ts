import { PLACES } from '../../../access/keys/account-document.ts';
import { composeAccounts, composeKeys } from '../../../compose/access.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import { commandOf } from '../../command.ts';
import { accountOption, textOption } from '../../options.ts';
import { note, print, printJson } from '../../output.ts';

export const create = commandOf('create', {
  takes: { account: accountOption('key it is'), label: textOption('<label>', 'what the key is for') },
  example: 'keys create --account acme --label website',
  run: async ({ parts }, { account: name, json, ...label }) => {
    const service = await composeKeys(parts);
    const created = await service.create(name, label);
    if (created.outcome === 'limit_reached') {
      const revoke = commandLine(`keys revoke --account ${name} ID`);
      note(`catalog: ${name} has ${PLACES} active keys already. Revoke one: ${revoke}`);
      return 1;
    }
    const { id, place, key } = created;
    await (await composeAccounts(parts, service)).note(name, { action: 'key_created', keyId: id });
    if (json) return printJson({ id, account: name, place, key }, 'shown');
    print(key, 'shown');
    note(`Key ${id} of ${name}, in place ${place}. It is not shown again. Send it in the header x-api-key.`);
  },
});
