import { PLACES } from '../../../access/keys/account-document.ts';
import type { ReplaceRefusal } from '../../../access/keys/changes.ts';
import { LONGEST_OVERLAP_MS } from '../../../access/keys/input-checks.ts';
import { composeAccounts, composeKeys } from '../../../compose/access.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import { commandOf } from '../../command.ts';
import { accountOption, argument, span, textOption } from '../../options.ts';
import { note, print, printJson } from '../../output.ts';

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
  example: 'keys rotate --account acme k_4fGh2LmQ9z --overlap 7d',
  run: async ({ parts }, { id, account: name, overlap: overlapMs, label, json }) => {
    const service = await composeKeys(parts);
    const rotated = await service.rotate(name, id, { overlapMs, label });
    if (rotated.outcome !== 'rotated') {
      if (json) printJson({ id, account: name, outcome: rotated.outcome });
      else note(`catalog: ${whyNotRotated(name, id, rotated)}`);
      return 1;
    }
    const { id: newId, key, oldEndsAt } = rotated;
    await (await composeAccounts(parts, service)).note(name, { action: 'key_rotated', keyId: id });
    if (json) {
      const replaces = { id, ends_at: oldEndsAt };
      printJson({ id: newId, account: name, outcome: 'rotated', key, replaces }, 'shown');
      return 0;
    }
    print(key, 'shown');
    const old = overlapMs === 0 ? `${id} has ended` : `${id} works until ${oldEndsAt}`;
    note(`Key ${newId} of ${name}. It is not shown again. ${old}.`);
    return 0;
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
