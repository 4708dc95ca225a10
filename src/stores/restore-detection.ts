import { isDeepStrictEqual } from 'node:util';

import { parseBuildName } from './build-names.ts';
import { changeDocument, readDocument } from './documents/change-document.ts';
import type { Documents } from './documents/port.ts';
import { IDENTITY } from './store-identity.ts';

/**
 * Whether the documents were restored by the store's own tools since they were last verified. Such a copy may have been
 * taken collection by collection, and checkpoints that are newer than their documents lose events in silence: only a
 * verification finds that. So beside the identity stands of which making each collection was; a restore makes them again.
 */
interface Origins {
  readonly origins: Readonly<Record<string, string>>;
}

const ID = 'origins';

type OriginDocuments = Pick<Documents, 'get' | 'write' | 'origins'>;

/** Notes collections that were not there before. What was noted of the others stays: a restore is told until it is verified. */
export async function noteOrigins(documents: OriginDocuments): Promise<void> {
  await change(documents, (noted, now) => ({ ...now, ...noted }));
}

/** After a verification of all builds that found nothing: what is there is right, wherever it came from. */
export async function acceptOrigins(documents: OriginDocuments): Promise<void> {
  await change(documents, (_noted, now) => now);
}

/** False where the store cannot tell. */
export async function isRestored(documents: OriginDocuments): Promise<boolean> {
  const now = await readOrigins(documents);
  if (now === null) return false;
  const noted = (await readDocument<Origins>(documents, IDENTITY.name, ID))?.body.origins ?? {};
  return Object.entries(noted).some(([name, origin]) => Object.hasOwn(now, name) && now[name] !== origin);
}

type Names = Origins['origins'];

async function change(documents: OriginDocuments, next: (noted: Names, now: Names) => Names): Promise<void> {
  const now = await readOrigins(documents);
  if (now === null) return;
  await changeDocument<Origins>(documents, IDENTITY.name, ID, (stored) => {
    const noted = stored?.body.origins ?? {};
    const origins = next(noted, now);
    return isDeepStrictEqual(origins, noted) ? null : { origins };
  });
}

/** Of what has to fit together: checkpoints, and the builds of read models. null where the store cannot tell. */
async function readOrigins(documents: OriginDocuments): Promise<Names | null> {
  const all = await documents.origins?.();
  if (!all) return null;
  const told = [...all].filter(([name]) => name === 'checkpoints' || parseBuildName(name) !== null);
  return Object.fromEntries(told);
}
