import { Command } from 'commander';

import { everyBuild } from '../../compose/builds.ts';
import { nameOf, type Parts } from '../../compose/parts.ts';
import { PermanentError } from '../../platform/errors.ts';
import { readIdentity, renewIdentity } from '../../stores/identity.ts';
import { readFeedLease } from '../../stores/feed-lease.ts';
import { readOwners } from '../../projecting/inspect/heartbeat.ts';
import { withParts } from '../command.ts';
import { note, print, printJson } from '../output.ts';

export function identity(): Command {
  return new Command('identity')
    .usage('[show|renew] [OPTIONS]')
    .helpCommand(false)
    .addCommand(show(), { isDefault: true })
    .addCommand(renew())
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- identity');
}

function show(): Command {
  return new Command('show')
    .description('Show the identity of the documents.')
    .addHelpText('after', '\nExample:\n  npm run -s catalog -- identity show --json')
    .action(({ json }: { json?: boolean }) =>
      withParts('identity', 'read', async ({ parts }) => {
        const stored = await storedIdentity(parts);
        const { id, format } = stored.body;
        if (json) printJson({ identity: id, format });
        else print(id);
      }),
    );
}

const RENEW_HELP = `
For a copy of a store of documents (restored from a backup, or copied to try something) that is to run beside the
original on the same log: with one identity, both would share the groups of the log, and each would get a part of the
events. Stop whatever runs on the copy first. The copy also needs a CATALOG_SEARCH_PREFIX of its own where both use one
Meilisearch. A store that was only moved, or restored in place of the original, keeps its identity.

Example:
  npm run -s catalog -- identity renew`;

function renew(): Command {
  return new Command('renew')
    .description('Give a copy of the documents an identity of its own.')
    .addHelpText('after', RENEW_HELP)
    .action(({ json }: { json?: boolean }) =>
      withParts('identity', 'change', async ({ parts }) => {
        const stored = await storedIdentity(parts);
        await requireNobody(parts);
        const renewed = await renewIdentity(parts.documents, stored);
        if (!renewed) throw new PermanentError('Somebody else has just renewed the identity.');
        if (json) return printJson({ identity: renewed.id, before: stored.body.id });
        print(renewed.id);
        note(`It was ${stored.body.id}. Groups of that name in the log are the original's.`);
      }),
    );
}

async function storedIdentity({ config, documents }: Parts) {
  const where = nameOf(config.documentsUrl);
  const stored = await readIdentity(documents, where);
  if (!stored) throw new PermanentError(`${where} has no identity yet: it gets one with its first start.`);
  return stored;
}

/** @throws {PermanentError} where a projector or a feeder works on these documents: it would go on under the old name. */
async function requireNobody(parts: Parts): Promise<void> {
  const { documents } = parts;
  const now = await documents.now();
  const working = [...(await readOwners(documents, now)).alive.values()].map(({ where }) => where);
  for (const { build: index } of await everyBuild(parts)) {
    if (((await readFeedLease(documents, index))?.until ?? 0) > now) working.push(`the feeder of ${index}`);
  }
  if (working.length === 0) return;
  throw new PermanentError(
    `A projector works on these documents (${working.join(', ')}). Stop it, wait 15 s where it was killed, and try again.`,
  );
}
