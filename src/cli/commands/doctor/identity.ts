import { nameOf, type Parts } from '../../../compose/parts.ts';
import { PermanentError } from '../../../platform/errors.ts';
import { everyBuild } from '../../../projecting/builds/builds-by-fold.ts';
import { readOwners } from '../../../projecting/health/lane-owners.ts';
import { readFeedLease } from '../../../stores/feed-lease.ts';
import { readIdentity, renewIdentity } from '../../../stores/store-identity.ts';
import { command, withParts } from '../../command.ts';
import { flag } from '../../option-builders.ts';
import { note, print, printJson } from '../../output.ts';

export const identity = command({
  takes: { renew: flag('give a copy of the documents an identity of its own') },
  run: ({ renew, json }, name) =>
    withParts(name, renew ? 'change' : 'read', async ({ parts }) => {
      const stored = await storedIdentity(parts);
      const { id, format } = stored.body;
      if (!renew) return json ? printJson({ identity: id, format }) : print(id);
      await requireNobody(parts);
      const renewed = await renewIdentity(parts.documents, stored);
      if (!renewed) throw new PermanentError('Somebody else has just renewed the identity.');
      if (json) return printJson({ identity: renewed.id, before: id });
      print(renewed.id);
      note(`It was ${id}. Groups of that name in the log are the original's.`);
    }),
});

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
